// What else a list can be filtered by: values, dtype, device, graph and time. Made while its panel is open; the pane owns the
// filter.
//
//   <tbd-dropdown #menu> … <ng-template #panel>
//     <tbd-filter-fields [filter]="filter()" [facets]="facets" [start]="start()" (changed)="…" (left)="menu.close()">
//       <div filter-first>…</div>    above the fields;    what else stands within is below them
//     </tbd-filter-fields>
import { Component, computed, input, type OnInit, output, signal } from '@angular/core';
import type { Schema } from '../api/client';
import type { EventFilter } from '../state/view';
import { shortDevice } from '../ui/device-name';
import { countText } from '../ui/number-text';
import type { Facets } from './facets';
import { parseSeconds } from './filter-words';

interface Option {
  readonly value: string;
  readonly text: string;
}

@Component({
  selector: 'tbd-filter-fields',
  templateUrl: './filter-fields.html',
  styleUrl: './filter-fields.css',
  host: { '(keydown.escape)': 'leave($event)' },
})
export class FilterFields implements OnInit {
  readonly filter = input.required<EventFilter>();
  readonly facets = input.required<Facets>();
  /** When the run started, in seconds since 1970; null where that is not known. */
  readonly start = input.required<number | null>();
  /** Parts of the filter that change. */
  readonly changed = output<Partial<EventFilter>>();
  readonly left = output();

  protected readonly dtypes = computed(() =>
    this.#options(this.facets().all()?.dtypes, this.filter().dtype, (name) => name),
  );
  protected readonly devices = computed(() =>
    this.#options(this.facets().all()?.devices, this.filter().device, shortDevice),
  );
  protected readonly graphs = computed(() =>
    this.#options(
      this.facets()
        .all()
        ?.graphs.map(({ graph_id, num_events }) => ({ name: graph_id, num_events })),
      this.filter().graphId,
      (id) => this.facets().graphName(id),
    ),
  );
  /** Which of the two times is none as it is written. */
  protected readonly wrongTime = signal<'beginTime' | 'endTime' | null>(null);

  ngOnInit(): void {
    this.facets().look();
  }

  protected timeText(time: number | null): string {
    return time === null ? '' : String(Number((time - (this.start() ?? 0)).toFixed(6)));
  }

  protected setTime(part: 'beginTime' | 'endTime', text: string): void {
    const seconds = parseSeconds(text);
    const wrong = text.trim() !== '' && seconds === null;
    this.wrongTime.set(wrong ? part : null);
    if (!wrong) {
      this.changed.emit({ [part]: seconds === null ? null : seconds + (this.start() ?? 0) });
    }
  }

  protected leave(event: Event): void {
    event.preventDefault();
    event.stopPropagation();
    this.left.emit();
  }

  /** What occurs, most frequent first; and what is filtered by, whether it occurs or not. */
  #options(
    facets: readonly Schema<'Facet'>[] | undefined,
    chosen: string | null,
    textOf: (name: string) => string,
  ): Option[] {
    const options = (facets ?? []).map(({ name, num_events }) => ({
      value: name,
      text: `${textOf(name)} · ${countText(num_events)}`,
    }));
    if (chosen !== null && !options.some(({ value }) => value === chosen)) {
      options.unshift({ value: chosen, text: textOf(chosen) });
    }
    return options;
  }
}
