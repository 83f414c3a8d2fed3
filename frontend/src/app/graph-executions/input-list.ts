// The inputs of the selected op below the rows: where each is, or why it is nowhere. It owns how many are listed.
import { Component, computed, input, linkedSignal, output } from '@angular/core';
import type { Schema } from '../api/client';
import type { ExecutionIndex, TraceIndex } from '../api/indices';
import { countText } from '../ui/number-text';
import { OpName } from '../ui/op-name';
import { inputText } from './input-rows';

/** Inputs listed at first: an op may have thousands. */
const FIRST = 8;

@Component({
  selector: 'tbd-input-list',
  imports: [OpName],
  template: `
    <span class="lead">
      Inputs of
      <button
        type="button"
        class="link-button"
        title="Show the selected row"
        (click)="showTrace.emit(selected())"
      >
        #{{ selected() }}</button
      ><span class="of">{{ name() && ' ' + name() }}</span>
    </span>
    @for (text of listed(); track text.slot) {
      <span class="entry">
        <span class="tag">in {{ text.slot }}</span>
        @if (text.trace !== null) {
          <button
            type="button"
            class="link-button tensor"
            [title]="text.tensor + ': show its row'"
            (click)="showTrace.emit(text.trace)"
          >
            <tbd-op-name [name]="text.tensor" />
          </button>
          <span class="dim">{{ text.where }} #{{ text.trace }}</span>
        } @else if (text.execution !== null) {
          <button
            type="button"
            class="link-button tensor"
            [title]="text.tensor + ': select the execution in the timeline'"
            (click)="selectExecution.emit(text.execution)"
          >
            <tbd-op-name [name]="text.tensor" />
          </button>
          <span class="dim"
            >of execution {{ text.execution }}{{ text.where && ', ' + text.where }}</span
          >
        } @else {
          <tbd-op-name class="tensor" [title]="text.tensor" [name]="text.tensor" />
          <span class="dim">{{ text.reason }}</span>
        }
      </span>
    } @empty {
      <span class="dim">{{
        opIsOnDisk()
          ? 'This op has no inputs.'
          : 'Not known: the creation of this op is not on disk.'
      }}</span>
    }
    @if (inputs().length > listed().length) {
      <button type="button" class="link-button" (click)="all.set(true)">
        {{ hiddenCount() }} more
      </button>
    }
  `,
  styleUrl: './input-list.css',
})
export class InputList {
  readonly selected = input.required<TraceIndex>();
  /** The selected tensor; empty while not known. */
  readonly name = input('');
  readonly graphId = input<string | null>(null);
  /** Else its inputs are not known. */
  readonly opIsOnDisk = input(true);
  readonly inputs = input.required<readonly Schema<'GraphExecutionInput'>[]>();
  readonly showTrace = output<TraceIndex>();
  readonly selectExecution = output<ExecutionIndex>();

  protected readonly all = linkedSignal({ source: this.selected, computation: () => false });
  protected readonly listed = computed(() => {
    const inputs = this.all() ? this.inputs() : this.inputs().slice(0, FIRST);
    return inputs.map((input) => inputText(input, this.graphId()));
  });
  protected readonly hiddenCount = computed(() =>
    countText(this.inputs().length - this.listed().length),
  );
}
