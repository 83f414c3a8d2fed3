// The focused source file, scrolled to the focused line, with what each line made. The selection owns what is focused; this
// finds the file and its text, and owns which line is asked about. Lives as long as its run is shown.
import {
  Component,
  computed,
  effect,
  inject,
  linkedSignal,
  signal,
  untracked,
  viewChild,
} from '@angular/core';
import { ApiClient } from '../api/client';
import { fileIndex } from '../api/indices';
import { Host } from '../host/host';
import { readOfRun } from '../state/run-read';
import { problemOf } from '../state/run-problems';
import { Runs } from '../state/runs';
import { Selection } from '../state/selection';
import type { SourcePosition } from '../state/view';
import { copyText } from '../ui/clipboard';
import { countOf, countText } from '../ui/number-text';
import { Pane } from '../ui/pane';
import { empty, failed, LOADING, type PaneState, READY } from '../ui/pane-state';
import { type AskedLine, CodeView } from './code-view';
import { lineCountText, lineCountWords, lineOfInterest } from './count-text';
import { FilePicker } from './file-picker';
import { LineEvents } from './line-events';
import { OpeningLine } from './opening-line';
import {
  type FileInView,
  fileInView,
  type FileSummary,
  findFile,
  isOnSeveralHosts,
  placeOf,
  splitPath,
} from './recorded-files';
import { SourceTexts } from './source-texts';
import { whyUncaptured } from './uncaptured';

const COPIED_MS = 2_000;

/** Problems that are why no source file is there, the likeliest first. */
const WHY_NO_FILES = [
  'switched_dump_root',
  'missing_source_files',
  'missing_file',
  'bad_length',
  'only_graph_executions',
  'nothing_recorded',
] as const;

@Component({
  selector: 'tbd-source-code',
  imports: [CodeView, FilePicker, LineEvents, Pane],
  templateUrl: './source-code.html',
  styleUrl: './source-code.css',
  host: {
    '(keydown)': 'opening.stay(); findOnKey($event)',
    '(pointerdown)': 'opening.stay()',
    '(wheel)': 'opening.stay()',
  },
})
export class SourceCode {
  readonly #client = inject(ApiClient);
  readonly #runs = inject(Runs);
  readonly #texts = new SourceTexts();
  protected readonly opening = new OpeningLine();
  protected readonly selection = inject(Selection);
  protected readonly dark = inject(Host).dark;
  private readonly code = viewChild(CodeView);

  readonly #list = readOfRun({
    question: () => 'all files',
    ask: (run, _, signal) => this.#client.get('/source_files/summary', signal, { run }),
    grows: true,
  });
  protected readonly files = computed<readonly FileSummary[]>(
    () => this.#list.answer()?.files ?? [],
  );
  protected readonly numFiles = computed(() => this.#list.answer()?.num_files ?? 0);
  /** The line of the first root cause, where nothing is selected and its file is recorded. */
  readonly #causeLine = computed(() => {
    const line = this.opening.ofCause();
    return line && findFile(this.files(), line) ? line : null;
  });
  readonly #inView = linkedSignal<
    { files: readonly FileSummary[]; focus: SourcePosition | null; run: string | null },
    { view: FileInView | null; run: string | null }
  >({
    source: () => ({
      files: this.files(),
      focus: this.selection.focus() ?? this.#causeLine(),
      run: this.selection.run(),
    }),
    computation: ({ files, focus, run }, previous) => {
      const before = previous?.value.run === run ? previous.value.view : null;
      return { run, view: files.length > 0 ? fileInView(files, focus, before) : null };
    },
  });
  /** The open file; null where the focused one is not recorded, or none is. */
  protected readonly file = computed(() => {
    const { view } = this.#inView();
    return view?.kind === 'recorded' ? view.file : null;
  });
  readonly #index = computed(() => this.file()?.index ?? null);

  readonly #text = readOfRun({
    question: () => this.#index(),
    ask: (run, index, signal) =>
      this.#texts.get(`${run}:${index}`, index, async () => {
        return (await this.#client.get('/source_files/file', signal, { run, index })).lines;
      }),
  });
  /** The text in view: that of the file before until the open one's is there. */
  protected readonly text = this.#text.answer;
  protected readonly busy = computed(() => this.#text.pending() && this.text() !== null);

  readonly #annotations = readOfRun({
    question: () => this.#index(),
    ask: (run, index, signal) =>
      this.#client.get('/source_files/annotations', signal, { run, index }),
    grows: true,
  });
  protected readonly annotations = computed(() => {
    const answer = this.#annotations.answer();
    return answer && answer.index === this.text()?.index ? answer.lines : [];
  });

  protected readonly focusedLine = computed(() => {
    const focus = this.selection.focus();
    return focus && this.text()?.index === this.#index() ? focus.lineno : null;
  });
  /** Where nothing is selected: the first root cause's line, or else the file's first line of interest. */
  protected readonly firstLine = computed(() => {
    const line = this.text()?.index === this.#index() ? this.#causeLine()?.lineno : undefined;
    return line ?? this.#lineOfFile().line;
  });
  /** The first line of the file that went bad; it stays when later lines are found. */
  readonly #lineOfFile = linkedSignal<
    { index: number | undefined; line: number | null },
    { index: number | undefined; line: number | null }
  >({
    source: () => ({
      index: this.text()?.index,
      line: this.opening.nothingIsSelected() ? lineOfInterest(this.annotations()) : null,
    }),
    computation: (now, previous) =>
      now.line !== null && previous?.value.index === now.index && previous?.value.line !== null
        ? (previous?.value ?? now)
        : now,
  });

  protected readonly askedLine = signal<AskedLine | null>(null);
  /** The asked line as a position, while its file is open. */
  protected readonly askedPosition = computed<SourcePosition | null>(() => {
    const asked = this.askedLine();
    const file = this.file();
    return asked && file && { ...placeOf(file), lineno: asked.lineno };
  });

  protected readonly stillWriting = computed(() => {
    const status = this.#runs.selected()?.status;
    return status === 'live' || status === 'loading';
  });
  protected readonly state = computed<PaneState>(() => {
    if (!this.#list.answer()) {
      const failure = this.#list.failure();
      return failure === null ? LOADING : failed(failure);
    }
    if (this.files().length === 0) {
      return empty(
        this.stillWriting()
          ? 'No source file is recorded yet. They appear here by themselves while the program runs.'
          : 'No source file was recorded. The file *.source_files of this run is empty or lost.',
        problemOf(this.#runs.selected(), WHY_NO_FILES),
      );
    }
    const { view } = this.#inView();
    if (view?.kind === 'unrecorded') {
      const { filePath, hostName } = view.place;
      return empty(
        `${filePath}${hostName ? ` of ${hostName}` : ''} is not among the ${countOf(this.files().length, 'recorded file')}${this.stillWriting() ? ' (yet)' : ''}. Choose another above.`,
      );
    }
    const failure = this.#text.failure();
    if (this.#text.pending() && failure !== null) return failed(failure);
    if (!this.text()) return { kind: 'loading', text: `Loading ${this.name()}…` };
    return READY;
  });

  protected readonly name = computed(() => splitPath(this.file()?.file_path ?? '').name);
  protected readonly host = computed(() => {
    const file = this.file();
    return file && isOnSeveralHosts(this.files(), file) ? file.host_name : '';
  });
  protected readonly reason = computed(() => whyUncaptured(this.file()?.file_path ?? ''));
  protected readonly copied = signal(false);
  protected readonly countText = countText;
  protected readonly lineCountText = lineCountText;
  protected readonly lineCountWords = lineCountWords;
  protected readonly fileIndex = fileIndex;
  #opening: AbortController | undefined;
  #pressed: HTMLElement | undefined;

  constructor() {
    // A selected line that the address gives without its file's path.
    effect(() => {
      const event = this.selection.event();
      if (event?.kind !== 'source' || !this.selection.awaitsFocus()) return;
      const file = this.files()[event.fileIndex];
      if (!file) return;
      untracked(() => this.selection.resolveFocus({ ...placeOf(file), lineno: event.lineno }));
    });
    // What was asked about is of one file.
    effect(() => {
      this.#index();
      this.askedLine.set(null);
    });
  }

  /** Goes to the file's first line that went bad, or made anything, or to its top. */
  protected async openFile(file: FileSummary): Promise<void> {
    this.#opening?.abort();
    const opening = (this.#opening = new AbortController());
    const lineno = file.num_ops > 0 ? await this.#lineOfInterest(file, opening.signal) : 1;
    if (opening.signal.aborted) return;
    this.selection.focusSource({ ...placeOf(file), lineno }, { stickToBottommost: false });
  }

  async #lineOfInterest(file: FileSummary, signal: AbortSignal): Promise<number> {
    const run = this.selection.run() ?? '';
    try {
      const answer = await this.#client.get('/source_files/annotations', signal, {
        run,
        index: file.index,
      });
      return lineOfInterest(answer.lines) ?? 1;
    } catch {
      // The pane will say what fails, once the file is open.
      return 1;
    }
  }

  protected numBadOf(lineno: number): number {
    return this.annotations().find((line) => line.lineno === lineno)?.num_bad ?? 0;
  }

  protected closeLineEvents({ byKey }: { readonly byKey: boolean }): void {
    this.askedLine.set(null);
    if (byKey) (this.code() ?? this.#pressed)?.focus();
  }

  protected askBeside(lineno: number, pressed: HTMLElement): void {
    this.#pressed = pressed;
    this.askedLine.set({ lineno, beside: pressed.getBoundingClientRect() });
  }

  protected async copyPath(): Promise<void> {
    if (!(await copyText(this.file()?.file_path ?? ''))) return;
    this.copied.set(true);
    setTimeout(() => this.copied.set(false), COPIED_MS);
  }

  protected find(): void {
    this.code()?.openSearch();
  }

  /** Ctrl+F, or Cmd+F, anywhere in the pane finds in the file: the browser would see only the lines in view. */
  protected findOnKey(event: KeyboardEvent): void {
    if (event.key !== 'f' || !(event.ctrlKey || event.metaKey) || event.defaultPrevented) return;
    if (!this.code()) return;
    event.preventDefault();
    this.find();
  }

  protected retry(): void {
    this.#list.retry();
    this.#text.retry();
    this.#annotations.retry();
  }
}
