// Rows of a long table by index, loaded in pages of a fixed size as they come into view.
// The pane that makes it owns it, tells it the total and the viewport, and disposes of it (or calls reset() for another
// run or filter). Pages and their requests belong to it alone.
import { computed, type Signal, signal } from '@angular/core';
import { errorMessage } from '../api/api-error';

export interface PagedRowsOptions<Row> {
  /** Rows begin..end-1. Fewer only where the table is shorter than the total it was told. */
  readonly fetchPage: (begin: number, end: number, signal: AbortSignal) => Promise<readonly Row[]>;
  readonly pageSize?: number;
  /** Pages kept beyond those in view. */
  readonly keptPages?: number;
  /** Rows loaded ahead on each side of the viewport. */
  readonly lookahead?: number;
}

interface Page<Row> {
  readonly rows: readonly Row[];
  /** The end that was asked for; below the page's full end while the table was shorter, 0 once outdated. */
  readonly end: number;
}

interface PageRequest {
  readonly controller: AbortController;
  readonly end: number;
  readonly startedAt: number;
}

interface PageFailure {
  readonly message: string;
  readonly attempts: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** A scroll that outruns the answers asks this often: what it passes by is not worth the server's time. */
const OUTRUN_MS = 100;

export class PagedRows<Row> {
  readonly #fetchPage;
  readonly #pageSize: number;
  readonly #keptPages: number;
  readonly #lookahead: number;

  /** In order of last use: the least recently seen first. */
  readonly #pages = new Map<number, Page<Row>>();
  readonly #requests = new Map<number, PageRequest>();
  readonly #failures = new Map<number, PageFailure>();
  /** No request begins before this time, in ms, and none for rows ahead before that; the timer begins those that wait. */
  #restsUntil = 0;
  #aheadFrom = 0;
  #restTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #changes = signal(0);
  readonly #total = signal(0);
  readonly #viewport = signal({ begin: 0, end: 0 });
  /** What was last asked to be shown, inside the table or not: another table is shown there too. */
  #asked = { begin: 0, end: 0 };

  readonly total = this.#total.asReadonly();
  readonly viewport = this.#viewport.asReadonly();

  /** Rows of the viewport, from its `begin`; undefined where not loaded. */
  readonly rows: Signal<readonly (Row | undefined)[]> = computed(() => {
    this.#changes();
    const { begin, end } = this.#viewport();
    return Array.from({ length: end - begin }, (_, offset) => this.#loaded(begin + offset));
  });
  /** Whether any request is on its way. */
  readonly loading = computed(() => {
    this.#changes();
    return this.#requests.size > 0;
  });
  /** Why a page of the viewport could not be loaded; it is tried again by itself. */
  readonly failure = computed(() => {
    this.#changes();
    const { begin, end } = this.#viewport();
    for (const page of this.#pagesOf(begin, end)) {
      const failure = this.#failures.get(page);
      if (failure) return failure.message;
    }
    return null;
  });

  constructor(options: PagedRowsOptions<Row>) {
    this.#fetchPage = options.fetchPage;
    this.#pageSize = options.pageSize ?? 200;
    this.#keptPages = options.keptPages ?? 50;
    this.#lookahead = options.lookahead ?? 100;
  }

  /** One row, wherever it is; undefined where not loaded. A signal read: the caller is told when it comes. */
  row(index: number): Row | undefined {
    this.#changes();
    return this.#loaded(index);
  }

  /** Rows begin..end-1 are looked at. Requests for pages no longer wanted are aborted. */
  show(begin: number, end: number): void {
    this.#asked = { begin, end };
    const total = this.#total();
    const first = Math.max(0, Math.min(begin, total));
    const last = Math.max(first, Math.min(end, total));
    const shown = this.#viewport();
    if (first !== shown.begin || last !== shown.end) {
      // Who jumps may jump on: what is beside is worth asking for where the view rests.
      if (last <= shown.begin || first >= shown.end) this.#aheadFrom = Date.now() + OUTRUN_MS;
      this.#viewport.set({ begin: first, end: last });
    }
    this.#load();
  }

  /** The table has grown (or, to fewer rows, is another one). */
  setTotal(total: number): void {
    const former = this.#total();
    if (total === former) return;
    if (total < former) this.#forgetAll();
    this.#total.set(total);
    this.show(this.#asked.begin, this.#asked.end);
  }

  /** Rows may read otherwise now: once shown again they are asked for again, and stay as they were until then. */
  outdate(): void {
    for (const request of this.#requests.values()) request.controller.abort();
    this.#requests.clear();
    for (const [page, { rows }] of this.#pages) this.#pages.set(page, { rows, end: 0 });
    this.#changed();
  }

  /** Tries the failed pages of the viewport again, now. */
  retry(): void {
    for (const page of this.#wantedPages()) this.#forgetFailure(page);
    this.#load();
  }

  /** Forgets all rows and the total: another run, or another filter. */
  reset(): void {
    this.#forgetAll();
    this.#total.set(0);
    this.#viewport.set({ begin: 0, end: 0 });
    this.#changed();
  }

  dispose(): void {
    this.#forgetAll();
  }

  #loaded(index: number): Row | undefined {
    const page = this.#pages.get(Math.floor(index / this.#pageSize));
    return page?.rows[index % this.#pageSize];
  }

  #load(): void {
    const wanted = this.#wantedPages();
    for (const [page, request] of this.#requests) {
      if (!wanted.includes(page) || request.end < this.#endOf(page)) {
        request.controller.abort();
        this.#requests.delete(page);
        this.#restsUntil = Math.max(this.#restsUntil, request.startedAt + OUTRUN_MS);
      }
    }
    for (const page of this.#failures.keys()) {
      if (!wanted.includes(page)) this.#forgetFailure(page);
    }
    for (const page of wanted) {
      const kept = this.#pages.get(page);
      if (kept) {
        this.#pages.delete(page);
        this.#pages.set(page, kept);
      }
    }
    this.#requestMissing();
    this.#evict(wanted);
    this.#changed();
  }

  /** Asks for the pages in view that are missing, and for those ahead once all in view have come. */
  #requestMissing(): void {
    clearTimeout(this.#restTimer);
    const { begin, end } = this.#viewport();
    const missing = this.#pagesOf(begin, end).filter((page) => this.#isMissing(page));
    const next = missing.length ? missing : this.#wantedPages();
    const toAsk = next.filter(
      (page) => this.#isMissing(page) && !this.#requests.has(page) && !this.#waitsForRetry(page),
    );
    if (!toAsk.length) return;
    const earliest = missing.length
      ? this.#restsUntil
      : Math.max(this.#restsUntil, this.#aheadFrom);
    const rest = earliest - Date.now();
    if (rest > 0) this.#restTimer = setTimeout(() => this.#requestWaiting(), rest);
    else for (const page of toAsk) void this.#request(page);
  }

  #requestWaiting(): void {
    this.#requestMissing();
    this.#changed();
  }

  /** A page that was the last, and partial, stays on screen until its longer self is there. */
  #isMissing(page: number): boolean {
    return (this.#pages.get(page)?.end ?? -1) < this.#endOf(page);
  }

  async #request(page: number, attempts = 0): Promise<void> {
    const begin = page * this.#pageSize;
    const end = this.#endOf(page);
    const request: PageRequest = {
      controller: new AbortController(),
      end,
      startedAt: Date.now(),
    };
    this.#requests.set(page, request);
    try {
      const rows = await this.#fetchPage(begin, end, request.controller.signal);
      if (this.#requests.get(page) !== request) return;
      this.#pages.delete(page);
      this.#pages.set(page, { rows, end });
      this.#forgetFailure(page);
    } catch (error) {
      if (this.#requests.get(page) !== request) return;
      const wait = Math.min(FIRST_RETRY_MS * 2 ** attempts, LONGEST_RETRY_MS);
      this.#failures.set(page, {
        message: errorMessage(error),
        attempts: attempts + 1,
        timer: setTimeout(() => this.#requestAgain(page), wait),
      });
    }
    this.#requests.delete(page);
    this.#requestMissing();
    this.#evict(this.#wantedPages());
    this.#changed();
  }

  /** The failure stays shown until the request has an outcome. */
  #requestAgain(page: number): void {
    if (this.#requests.has(page)) return;
    void this.#request(page, this.#failures.get(page)?.attempts ?? 0);
    this.#changed();
  }

  #waitsForRetry(page: number): boolean {
    return this.#failures.has(page);
  }

  /** Pages in view, then those ahead. */
  #wantedPages(): number[] {
    const { begin, end } = this.#viewport();
    if (begin === end) return [];
    const inView = this.#pagesOf(begin, end);
    const ahead = this.#pagesOf(
      Math.max(0, begin - this.#lookahead),
      Math.min(this.#total(), end + this.#lookahead),
    );
    return [...new Set([...inView, ...ahead])];
  }

  #pagesOf(begin: number, end: number): number[] {
    const pages: number[] = [];
    for (let page = Math.floor(begin / this.#pageSize); page * this.#pageSize < end; page++) {
      pages.push(page);
    }
    return pages;
  }

  #endOf(page: number): number {
    return Math.min((page + 1) * this.#pageSize, this.#total());
  }

  #evict(wanted: readonly number[]): void {
    const dispensable = [...this.#pages.keys()].filter((page) => !wanted.includes(page));
    for (const page of dispensable.slice(0, Math.max(0, dispensable.length - this.#keptPages))) {
      this.#pages.delete(page);
    }
  }

  #forgetFailure(page: number): void {
    clearTimeout(this.#failures.get(page)?.timer);
    this.#failures.delete(page);
  }

  #forgetAll(): void {
    for (const request of this.#requests.values()) request.controller.abort();
    for (const page of [...this.#failures.keys()]) this.#forgetFailure(page);
    clearTimeout(this.#restTimer);
    this.#restsUntil = 0;
    this.#requests.clear();
    this.#pages.clear();
  }

  #changed(): void {
    this.#changes.update((count) => count + 1);
  }
}
