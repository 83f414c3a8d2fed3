// The executions that Python started, in order, and the detail of the selected one. Lives as long as its run is shown.
import { Component } from '@angular/core';
import { Pane } from '../ui/pane';
import { empty } from '../ui/pane-state';

@Component({
  selector: 'tbd-timeline',
  imports: [Pane],
  template: `<tbd-pane heading="Python Execution Timeline" [state]="state" />`,
})
export class Timeline {
  protected readonly state = empty('No execution was recorded yet.');
}
