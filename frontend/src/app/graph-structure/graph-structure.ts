// The selected op among its neighbours in its graph. Lives as long as its run is shown.
import { Component } from '@angular/core';
import { Pane } from '../ui/pane';
import { empty } from '../ui/pane-state';

@Component({
  selector: 'tbd-graph-structure',
  imports: [Pane],
  template: `<tbd-pane heading="Graph Structure" [state]="state" />`,
})
export class GraphStructure {
  protected readonly state = empty(
    'Select an alert, a row of Graph Executions or a line of source to see the op among its neighbours.',
  );
}
