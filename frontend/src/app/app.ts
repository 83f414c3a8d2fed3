// The page: toolbar above, six panes below, splitters between. Owns the layout and nothing that the panes show.
import { Component, computed, effect, inject, signal } from '@angular/core';
import { Alerts } from './alerts/alerts';
import { GraphExecutions } from './graph-executions/graph-executions';
import { GraphStructure } from './graph-structure/graph-structure';
import { Host } from './host/host';
import { chosenSize, initialSizes } from './layout';
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
  host: { '(window:resize)': 'measureWindow()' },
})
export class App {
  readonly #host = inject(Host);
  readonly #runs = inject(Runs);
  /** Tells the selected run from the one that it replaced: all panes are made anew. Empty without a run. */
  protected readonly shown = computed(() =>
    this.#runs.selected() ? [this.#runs.replacements()] : [],
  );

  protected readonly maximisedPane = inject(MaximisedPane);

  readonly #window = signal({ width: innerWidth, height: innerHeight });
  protected readonly initial = computed(() =>
    initialSizes(this.#window().width, this.#window().height),
  );
  protected readonly alerts = chosenSize(() => this.initial().alerts);
  protected readonly timeline = chosenSize(() => this.initial().timeline);
  protected readonly graphExecutions = chosenSize(() => this.initial().graphExecutions);
  protected readonly bottom = chosenSize(() => this.initial().bottom);
  protected readonly stackTrace = chosenSize(() => this.initial().stackTrace);

  protected readonly loading = LOADING;
  protected readonly sourceCodeFailed = failed('A part of the page did not arrive.');

  constructor() {
    bindKeys([
      {
        key: 'Escape',
        effect: 'Show all panes again, after maximising one',
        run: () => this.maximisedPane.restore(),
      },
    ]);
    effect(() => document.documentElement.classList.toggle('dark', this.#host.dark()));
  }

  /** A frame that is not displayed has no size: the last one counts. */
  protected measureWindow(): void {
    if (innerWidth > 0 && innerHeight > 0)
      this.#window.set({ width: innerWidth, height: innerHeight });
  }

  protected reload(): void {
    location.reload();
  }
}
