// The row above the panes: which run is shown, how it stands, and where the user was. Lives as long as the page.
import { Component, computed, DestroyRef, inject, signal } from '@angular/core';
import { Host } from '../host/host';
import { Runs } from '../state/runs';
import { copyText } from '../ui/clipboard';
import { KeyList } from './key-list';
import { RunPicker } from './run-picker';
import { RunStatus } from './run-status';

const COPY_LINK = 'Copy link';
const CONFIRMED_MS = 2000;

@Component({
  selector: 'tbd-toolbar',
  imports: [KeyList, RunPicker, RunStatus],
  templateUrl: './toolbar.html',
  host: { role: 'banner' },
  styles: `
    :host {
      display: flex;
      flex-wrap: wrap;
      align-items: center;
      gap: 6px 10px;
      min-width: 0;
      min-height: var(--toolbar-height);
      padding: 6px var(--gap);
      border-bottom: 1px solid var(--line);
      background: var(--raised);
    }
    .space {
      flex: 1;
    }
    .pill {
      max-width: 100%;
    }
    .origin span,
    .failure {
      overflow: hidden;
      text-overflow: ellipsis;
    }
    .failure {
      background: var(--accent-soft);
    }
    .icon-button {
      flex: none;
    }
    .copy {
      flex: none;
      min-width: 82px;
    }
  `,
})
export class Toolbar {
  protected readonly host = inject(Host);
  protected readonly runs = inject(Runs);
  protected readonly copied = signal(COPY_LINK);
  #confirmation: ReturnType<typeof setTimeout> | undefined;

  protected readonly origin = computed(() => {
    const run = this.runs.selected();
    if (!run) return '';
    const version = run.tensorflow_version && `TensorFlow ${run.tensorflow_version}`;
    return [version, ...run.hosts].filter(Boolean).join(' · ');
  });

  constructor() {
    inject(DestroyRef).onDestroy(() => clearTimeout(this.#confirmation));
  }

  protected async copyLink(): Promise<void> {
    this.copied.set((await copyText(this.host.hash.link())) ? 'Copied' : 'Not allowed');
    clearTimeout(this.#confirmation);
    this.#confirmation = setTimeout(() => this.copied.set(COPY_LINK), CONFIRMED_MS);
  }
}
