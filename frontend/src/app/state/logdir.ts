// Where TensorBoard was told to look for runs, asked for once. Lives as long as the page.
import { inject, Service, signal } from '@angular/core';
import { ApiClient } from '../api/client';
import { runTitle } from './run-title';

@Service()
export class Logdir {
  readonly #path = signal('');
  /** Its path, or several; empty until it is known. */
  readonly path = this.#path.asReadonly();
  /** The same once it is known; empty where it could not be told. Never rejects. */
  readonly told: Promise<string> = inject(ApiClient)
    .get('/logdir', null)
    .then(
      ({ logdir }) => {
        this.#path.set(logdir);
        return logdir;
      },
      () => '',
    );

  /** What a run of that name is called on the page. */
  titleOf(run: string): string {
    return runTitle(run, this.path());
  }

  /** What a run of that name is called where there is room: with the whole path where its name does not tell it. */
  fullTitleOf(run: string): string {
    return this.titleOf(run) === run ? run : this.path();
  }
}
