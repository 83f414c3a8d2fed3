// Texts of files, as lines; the last few stay in memory, so that going back to one asks nothing. Lives as long as the pane.

const KEPT_FILES = 8;

export interface SourceText {
  readonly index: number;
  readonly lines: readonly string[];
}

export class SourceTexts {
  readonly #kept = new Map<string, SourceText>();

  /** The kept text, or what `read` answers. A text without lines may still arrive: it is not kept. */
  async get(
    key: string,
    index: number,
    read: () => Promise<readonly string[]>,
  ): Promise<SourceText> {
    const kept = this.#kept.get(key);
    const text = kept ?? { index, lines: await read() };
    this.#kept.delete(key);
    if (text.lines.length > 0) this.#kept.set(key, text);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= KEPT_FILES) break;
      this.#kept.delete(oldest);
    }
    return text;
  }
}
