// Which directories were searched for runs, and what was found in each: those that are odd first. Owns nothing.
import { Component, computed, input } from '@angular/core';
import type { Schema } from '../api/client';
import { Mark } from '../ui/mark';
import { countOf } from '../ui/number-text';

/** What the search says, as it goes on. */
export interface Search {
  readonly answer: () => { readonly payload: Schema<'LogdirSearch'> } | null;
  readonly failure: () => string | null;
}

@Component({
  selector: 'tbd-searched-directories',
  imports: [Mark],
  template: `
    <section aria-labelledby="searched">
      <h2 id="searched">Searched directories</h2>
      @if (search().answer()?.payload; as found) {
        <p>
          @if (found.searching) {
            Searching in
          } @else {
            {{ countOf(found.num_directories, 'directory was', 'directories were') }} searched: all
            at or below
          }
          <code>{{ found.logdir || 'those of --logdir_spec' }}</code>. {{ verdict() }}
        </p>
        @if (found.directories.length > 0) {
          <ul>
            @for (directory of found.directories; track directory.path) {
              <li [class.odd]="directory.is_odd">
                <code>{{ directory.path }}</code>
                <span class="found">
                  @if (directory.is_odd) {
                    <tbd-mark text="Something is wrong here" />
                  }
                  {{ directory.found }}
                </span>
              </li>
            }
          </ul>
          @if (found.num_directories > found.directories.length) {
            <p class="dim">
              {{
                countOf(
                  found.num_directories - found.directories.length,
                  'directory',
                  'directories'
                )
              }}
              more.
            </p>
          }
        }
      } @else if (search().failure(); as failure) {
        <p class="dim">This could not be loaded: {{ failure }}</p>
      } @else {
        <p class="dim" role="status">Loading…</p>
      }
    </section>
  `,
  styles: `
    h2 {
      margin: 24px 0 4px;
      font-size: 13px;
      font-weight: 600;
    }
    p {
      margin-bottom: 8px;
    }
    ul {
      padding: 0;
      list-style: none;
    }
    li {
      display: flex;
      flex-wrap: wrap;
      gap: 2px 12px;
      padding: 4px 0;
      border-top: 1px solid var(--line);
    }
    code {
      overflow-wrap: anywhere;
    }
    .found {
      min-width: 0;
      color: var(--dim);
      overflow-wrap: anywhere;
    }
    .odd .found {
      color: var(--warn);
    }
  `,
})
export class SearchedDirectories {
  readonly search = input.required<Search>();
  protected readonly countOf = countOf;

  /** What it comes to, in a sentence. */
  protected readonly verdict = computed(() => {
    const found = this.search().answer()?.payload;
    if (!found || found.searching) return '';
    const odd = found.directories.filter((directory) => directory.is_odd).length;
    if (odd > 0) return 'What is marked could not be read, or was rejected:';
    return found.num_runs > 0 ? '' : 'None holds files of the debugger (tfdbg_events.*).';
  });
}
