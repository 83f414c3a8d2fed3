// The runs to choose from, however many: rows in view only, and a field that filters them. Lives while its panel is open.
import {
  afterRenderEffect,
  Component,
  computed,
  ElementRef,
  inject,
  linkedSignal,
  output,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { Logdir } from '../state/logdir';
import { type ListedRun, Runs } from '../state/runs';
import { Selection } from '../state/selection';
import { countOf, countText } from '../ui/number-text';
import { startTimeText } from '../ui/time-text';
import { VirtualRows } from '../ui/virtual-rows';
import { runsNamed } from './run-filter';

/** So many rows are in view at most. */
const MOST_ROWS = 12;

@Component({
  selector: 'tbd-run-list',
  imports: [VirtualRows],
  template: `
    <div class="bar">
      <input
        #field
        class="field"
        type="search"
        role="combobox"
        aria-label="Filter runs by name"
        placeholder="Filter by name"
        aria-expanded="true"
        aria-controls="runs"
        [attr.aria-activedescendant]="active() === null ? null : idOf(active()!)"
        [value]="words()"
        (input)="words.set(field.value)"
      />
      <span class="dim numbers" role="status">{{ countNote() }}</span>
    </div>
    @if (listed().length > 0) {
      <tbd-virtual-rows
        #rows
        id="runs"
        role="listbox"
        aria-label="Runs"
        [style.height.px]="listHeight()"
        [total]="listed().length"
        [rowHeight]="rowHeight"
      >
        <ng-template #row let-index>
          @if (listed()[index]; as run) {
            <button
              type="button"
              role="option"
              tabindex="-1"
              class="row"
              [id]="idOf(index)"
              [class.selected]="run.name === selection.run()"
              [class.active]="index === active()"
              [attr.aria-selected]="run.name === selection.run()"
              [attr.aria-setsize]="listed().length"
              [attr.aria-posinset]="index + 1"
              [title]="logdir.fullTitleOf(run.name)"
              (click)="chosen.emit(run.name)"
            >
              <span class="name">{{ run.title }}</span>
              <span class="dim numbers">{{ startTime(run) }}</span>
              <span class="dim">{{ statusText(run) }}</span>
            </button>
          }
        </ng-template>
      </tbd-virtual-rows>
    } @else {
      <p id="runs" class="none dim">No run of that name.</p>
    }
  `,
  host: { '(keydown)': 'follow($event)' },
  styles: `
    :host {
      display: block;
      width: 560px;
      max-width: 100%;
    }
    .bar {
      display: flex;
      gap: 10px;
      align-items: center;
      padding: 8px;
      border-bottom: 1px solid var(--line);
      white-space: nowrap;
    }
    .field {
      flex: 1;
      min-width: 0;
    }
    .row {
      display: grid;
      grid-template-columns: minmax(0, 1fr) auto 84px;
      gap: 16px;
      align-items: center;
      width: 100%;
      height: var(--row-height);
      padding: 0 var(--gap);
      border: 0;
      text-align: left;
      white-space: nowrap;
      cursor: pointer;
    }
    .row:not(.selected) {
      background: none;
    }
    .row:hover:not(.selected) {
      background: var(--raised);
    }
    .active {
      outline: 2px solid var(--accent);
      outline-offset: -2px;
    }
    .name {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .none {
      padding: 12px;
    }
  `,
})
export class RunList {
  readonly #runs = inject(Runs);
  protected readonly logdir = inject(Logdir);
  protected readonly selection = inject(Selection);
  /** The name of the run that was chosen. */
  readonly chosen = output<string>();

  protected readonly rowHeight = 30;
  protected readonly words = signal('');
  protected readonly all = computed(() =>
    (this.#runs.all() ?? []).map((run) => ({ ...run, title: this.logdir.titleOf(run.name) })),
  );
  protected readonly listed = computed(() => runsNamed(this.all(), this.words()));
  /** The row that Enter chooses: at first that of the shown run, or the first one that a filter leaves. */
  protected readonly active = linkedSignal<
    { names: readonly ListedRun[]; words: string },
    number | null
  >({
    source: () => ({ names: this.listed(), words: this.words() }),
    computation: ({ names, words }, former) => {
      if (names.length === 0) return null;
      const kept = former?.value ?? null;
      const wanted =
        kept !== null && former?.source.words === words
          ? former.source.names[kept]?.name
          : this.selection.run();
      return Math.max(
        0,
        names.findIndex(({ name }) => name === wanted),
      );
    },
  });
  protected readonly listHeight = computed(
    () => Math.min(this.listed().length, MOST_ROWS) * this.rowHeight,
  );
  protected readonly countNote = computed(() => {
    const all = countOf(this.all().length, 'run');
    return this.words().trim() ? `${countText(this.listed().length)} of ${all}` : all;
  });

  private readonly field = viewChild.required<ElementRef<HTMLInputElement>>('field');
  private readonly rows = viewChild(VirtualRows);

  constructor() {
    afterRenderEffect(() => this.field().nativeElement.focus({ preventScroll: true }));
    afterRenderEffect(() => {
      const active = this.active();
      const rows = this.rows();
      if (active !== null && rows) untracked(() => rows.scrollToRow(active, 'nearest'));
    });
  }

  protected follow(event: KeyboardEvent): void {
    const active = this.active();
    if (active === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = MOST_ROWS - 1;
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
    }[event.key];
    if (to !== undefined) {
      this.active.set(Math.max(0, Math.min(to, this.listed().length - 1)));
    } else if (event.key === 'Enter') {
      const run = this.listed()[active];
      if (run) this.chosen.emit(run.name);
    } else {
      return;
    }
    event.preventDefault();
  }

  protected idOf(index: number): string {
    return `run-${index}`;
  }

  protected startTime(run: ListedRun): string {
    return run.start_time === null ? '' : startTimeText(run.start_time);
  }

  protected statusText(run: ListedRun): string {
    return run.status === 'unread' ? 'not read yet' : run.status;
  }
}
