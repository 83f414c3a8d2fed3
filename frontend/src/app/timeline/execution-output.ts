// One output of an execution: its slot and what is known of its value. Stateless.
import { Component, input } from '@angular/core';
import type { Schema } from '../api/client';
import { TensorChips } from '../ui/tensor-health';

@Component({
  selector: 'tbd-execution-output',
  imports: [TensorChips],
  template: `
    @let shown = output();
    @if (shown.output_slot === null) {
      <span class="dim" title="The file does not tell which output this value belongs to">
        slot unknown
      </span>
    } @else {
      <span>{{ shown.output_slot }}</span>
    }
    @if (shown.health; as health) {
      <tbd-tensor-chips [health]="health" />
    } @else {
      <span class="dim">no value recorded</span>
    }
  `,
  styles: `
    :host {
      display: inline-flex;
      gap: 6px;
      align-items: center;
      min-width: 0;
    }
  `,
})
export class ExecutionOutput {
  readonly output = input.required<Schema<'ExecutionOutput'>>();
}
