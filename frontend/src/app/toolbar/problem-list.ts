// What was lost or odd while a run was read. Asked for when the list opens, and again as problems are added.
import { Component, inject, input, resource } from '@angular/core';
import { errorMessage } from '../api/api-error';
import { ApiClient } from '../api/client';
import type { Run } from '../state/runs';
import { bytesText, countOf } from '../ui/number-text';

@Component({
  selector: 'tbd-problem-list',
  template: `
    <h2>{{ countOf(run().num_problems, 'problem') }} while reading {{ run().name }}</h2>
    @if (problems.hasValue()) {
      <ul>
        @for (problem of problems.value().problems; track $index) {
          <li>
            <p>{{ problem.message }}</p>
            <p class="dim">
              <span class="mono">{{ problem.file }}</span>
              @if (problem.offset !== null) {
                · at byte {{ problem.offset }}
              }
              @if (problem.bytes_affected) {
                · {{ bytesText(problem.bytes_affected) }}
              }
              @if (problem.records_affected) {
                · {{ countOf(problem.records_affected, 'record') }}
              }
              @if (!problem.is_loss) {
                · nothing is lost
              }
            </p>
          </li>
        }
      </ul>
      @if (problems.value().num_problems > problems.value().problems.length) {
        <p class="dim more">The first {{ problems.value().problems.length }} are shown.</p>
      }
    } @else if (problems.error(); as error) {
      <p class="more" role="alert">
        <b>Could not load this.</b> {{ errorMessage(error) }}
        <button type="button" class="button" (click)="problems.reload()">Retry</button>
      </p>
    } @else {
      <p class="dim more" role="status">Loading…</p>
    }
  `,
  styles: `
    :host {
      display: block;
      padding: 10px 0;
    }
    h2,
    li,
    .more {
      padding: 4px var(--gap);
    }
    h2 {
      font-size: 13px;
      font-weight: 600;
    }
    ul {
      padding: 0;
      list-style: none;
    }
    li + li {
      border-top: 1px solid var(--line);
    }
    p {
      overflow-wrap: anywhere;
    }
  `,
})
export class ProblemList {
  readonly #client = inject(ApiClient);
  readonly run = input.required<Run>();

  protected readonly problems = resource({
    params: () => ({ run: this.run().name, count: this.run().num_problems }),
    loader: ({ params, abortSignal }) =>
      this.#client.get('/problems', abortSignal, { run: params.run, begin: 0, end: -1 }),
  });
  protected readonly countOf = countOf;
  protected readonly bytesText = bytesText;
  protected readonly errorMessage = errorMessage;
}
