// The versions of a function that was compiled several times, one below the other, with what differs from the one before.
import {
  afterNextRender,
  Component,
  computed,
  type ElementRef,
  input,
  output,
  viewChild,
} from '@angular/core';
import type { Schema } from '../api/client';
import { executionIndex } from '../api/indices';
import type { SelectedEvent } from '../state/view';
import { graphText } from '../ui/graph-name';
import { countOf, countText } from '../ui/number-text';
import { versionTable } from './version-rows';

@Component({
  selector: 'tbd-versions-dialog',
  templateUrl: './versions-dialog.html',
  styleUrl: './versions-dialog.css',
})
export class VersionsDialog {
  readonly pattern = input.required<Schema<'Pattern'>>();
  /** The first call of a version, to be selected. */
  readonly picked = output<SelectedEvent>();
  readonly closed = output();

  private readonly dialog = viewChild.required<ElementRef<HTMLDialogElement>>('dialog');
  protected readonly table = computed(() => versionTable(this.pattern().versions));
  protected readonly functionName = computed(() => graphText(this.pattern().graph_name));
  protected readonly countOf = countOf;
  protected readonly countText = countText;

  constructor() {
    afterNextRender(() => this.dialog().nativeElement.showModal());
  }

  protected pick(firstCall: number): void {
    this.picked.emit({ kind: 'execution', index: executionIndex(firstCall) });
    this.close();
  }

  protected close(): void {
    this.dialog().nativeElement.close();
  }
}
