// The stack of the selected event, outermost frame first. Lives as long as its run is shown.
import { Component } from '@angular/core';
import { Pane } from '../ui/pane';
import { empty } from '../ui/pane-state';

@Component({
  selector: 'tbd-stack-trace',
  imports: [Pane],
  template: `<tbd-pane heading="Stack Trace" [state]="state" />`,
})
export class StackTrace {
  protected readonly state = empty(
    'Select an alert, an event or an op to see where in the program it was made.',
  );
}
