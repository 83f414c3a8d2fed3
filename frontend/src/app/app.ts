// The page: toolbar above, six panes below, splitters between. Owns the layout and nothing that the panes show.
import { Component, effect, inject, signal } from '@angular/core';
import { Alerts } from './alerts/alerts';
import { GraphExecutions } from './graph-executions/graph-executions';
import { GraphStructure } from './graph-structure/graph-structure';
import { Host } from './host/host';
import { NoRun } from './no-run/no-run';
import { SourceCode } from './source-code/source-code';
import { StackTrace } from './stack-trace/stack-trace';
import { Runs } from './state/runs';
import { Timeline } from './timeline/timeline';
import { Toolbar } from './toolbar/toolbar';
import { bindKeys } from './ui/keyboard';
import { MaximisedPane } from './ui/maximised-pane';
import { Pane } from './ui/pane';
import { failed, LOADING } from './ui/pane-state';
import { Splitter } from './ui/splitter';

/** Sizes in px where the user has chosen none. */
const INITIAL = {
  alerts: 272,
  timeline: 216,
  graphExecutions: 560,
  bottom: 290,
  stackTrace: 560,
} as const;

@Component({
  selector: 'tbd-root',
  imports: [
    Alerts,
    GraphExecutions,
    GraphStructure,
    NoRun,
    Pane,
    SourceCode,
    Splitter,
    StackTrace,
    Timeline,
    Toolbar,
  ],
  templateUrl: './app.html',
  styleUrl: './app.css',
})
export class App {
  readonly #host = inject(Host);
  protected readonly runs = inject(Runs);

  protected readonly initial = INITIAL;
  protected readonly alerts = signal<number>(INITIAL.alerts);
  protected readonly timeline = signal<number>(INITIAL.timeline);
  protected readonly graphExecutions = signal<number>(INITIAL.graphExecutions);
  protected readonly bottom = signal<number>(INITIAL.bottom);
  protected readonly stackTrace = signal<number>(INITIAL.stackTrace);

  protected readonly loading = LOADING;
  protected readonly sourceCodeFailed = failed('A part of the page did not arrive.');

  constructor() {
    const maximisedPane = inject(MaximisedPane);
    bindKeys([
      { key: 'Escape', effect: 'Show all panes again', run: () => maximisedPane.restore() },
    ]);
    effect(() => document.documentElement.classList.toggle('dark', this.#host.dark()));
  }

  protected reload(): void {
    location.reload();
  }
}
