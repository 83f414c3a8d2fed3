// The focused source file, scrolled to the focused line. Lives as long as its run is shown.
import { Component } from '@angular/core';
import { Pane } from '../ui/pane';
import { empty } from '../ui/pane-state';

@Component({
  selector: 'tbd-source-code',
  imports: [Pane],
  template: `<tbd-pane heading="Source Code" [state]="state" />`,
})
export class SourceCode {
  protected readonly state = empty(
    'Select an alert, an event or a stack frame to see the line that made it.',
  );
}
