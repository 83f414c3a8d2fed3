// The graph execution traces, in order of time. Lives as long as its run is shown.
import { Component } from '@angular/core';
import { Pane } from '../ui/pane';
import { empty } from '../ui/pane-state';

@Component({
  selector: 'tbd-graph-executions',
  imports: [Pane],
  template: `<tbd-pane heading="Graph Executions" [state]="state" />`,
})
export class GraphExecutions {
  protected readonly state = empty('No tensor of a graph was recorded yet.');
}
