// A list of all recorded files with a filter, to open one. Owns the filter's text while it is open.
import {
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  input,
  output,
  signal,
  viewChild,
} from '@angular/core';
import { Dropdown } from '../ui/dropdown';
import { countOf, countText } from '../ui/number-text';
import { RowFocus } from '../ui/row-focus';
import { type FileSummary, groupFiles, isOnSeveralHosts, splitPath } from './recorded-files';

@Component({
  selector: 'tbd-file-picker',
  imports: [Dropdown, RowFocus],
  templateUrl: './file-picker.html',
  styleUrl: './file-picker.css',
})
export class FilePicker {
  readonly files = input.required<readonly FileSummary[]>();
  /** How many files were recorded; more than those that are told of, if they are thousands. */
  readonly total = input.required<number>();
  /** The open file's index. */
  readonly open = input.required<number | null>();
  readonly chosen = output<FileSummary>();

  protected readonly words = signal('');
  protected readonly groups = computed(() => groupFiles(this.files(), this.words()));
  private readonly field = viewChild<ElementRef<HTMLInputElement>>('field');
  protected readonly countOf = countOf;
  protected readonly countText = countText;
  protected readonly splitPath = splitPath;

  constructor() {
    // A list that opens takes the focus and begins without a filter.
    afterRenderEffect(() => {
      const field = this.field()?.nativeElement;
      if (!field) return;
      this.words.set('');
      field.focus({ preventScroll: true });
    });
  }

  protected hostOf(file: FileSummary): string {
    return isOnSeveralHosts(this.files(), file) ? file.host_name : '';
  }

  protected chooseFirst(dropdown: Dropdown): void {
    const first = this.groups()[0]?.files[0];
    if (first) this.choose(first, dropdown);
  }

  protected choose(file: FileSummary, dropdown: Dropdown): void {
    dropdown.close();
    this.chosen.emit(file);
  }

  protected titleOf(file: FileSummary): string {
    const events = countOf(file.num_ops, 'op or execution', 'ops and executions');
    const made =
      file.num_ops > 0 ? `, ${events}, ${countText(file.num_bad)} of them gave NaN or ∞` : '';
    const lines = file.num_lines > 0 ? countOf(file.num_lines, 'line') : 'text not captured';
    return `${file.file_path}\non ${file.host_name}: ${lines}${made}`;
  }
}
