// Which of a run's recorded files is in view, and how files are listed; pure.
import type { Schema } from '../api/client';
import { type FilePlace, sameFile, type SourcePosition } from '../state/view';

export type FileSummary = Schema<'SourceFileSummary'>;

/** What the pane shows: a recorded file, or that the focused one is not recorded. */
export type FileInView =
  | { readonly kind: 'recorded'; readonly file: FileSummary }
  | { readonly kind: 'unrecorded'; readonly place: FilePlace };

export function placeOf(file: FileSummary): FilePlace {
  return { hostName: file.host_name, filePath: file.file_path };
}

/** The focused file; without a focus the one already in view, or else the one to begin with. */
export function fileInView(
  files: readonly FileSummary[],
  focus: SourcePosition | null,
  before: FileInView | null,
): FileInView | null {
  if (focus) {
    const file = findFile(files, focus);
    return file ? { kind: 'recorded', file } : { kind: 'unrecorded', place: focus };
  }
  const kept = before?.kind === 'recorded' ? files[before.file.index] : undefined;
  const file = kept ?? fileToBeginWith(files);
  return file ? { kind: 'recorded', file } : null;
}

export function findFile(files: readonly FileSummary[], place: FilePlace): FileSummary | null {
  const sameHost = files.find(
    (file) => file.host_name === place.hostName && file.file_path === place.filePath,
  );
  return sameHost ?? files.find((file) => sameFile(placeOf(file), place)) ?? null;
}

/** The user's file with most bad events, or else the user's first one, or else any. */
export function fileToBeginWith(files: readonly FileSummary[]): FileSummary | null {
  const users = files.filter((file) => file.library === null);
  const worst = users.reduce<FileSummary | null>(
    (worst, file) => (file.num_bad > (worst?.num_bad ?? 0) ? file : worst),
    null,
  );
  return worst ?? users[0] ?? files[0] ?? null;
}

export interface FileGroup {
  /** Null: the user's own files. */
  readonly library: string | null;
  readonly files: readonly FileSummary[];
}

/** The files whose path or library holds all words: the user's own first, those with most bad events on top. */
export function groupFiles(files: readonly FileSummary[], words: string): FileGroup[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string | null, FileSummary[]>();
  for (const file of files) {
    const text = `${file.file_path} ${file.library ?? ''} ${file.host_name}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    const group = groups.get(file.library);
    if (group) group.push(file);
    else groups.set(file.library, [file]);
  }
  return [...groups]
    .map(([library, group]) => ({ library, files: group.sort(byWorst) }))
    .sort((a, b) => libraryOrder(a.library, b.library));
}

function byWorst(a: FileSummary, b: FileSummary): number {
  return (
    b.num_bad - a.num_bad || b.num_ops - a.num_ops || a.file_path.localeCompare(b.file_path, 'en')
  );
}

function libraryOrder(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1;
  return a.localeCompare(b, 'en');
}

/** Whether a path is recorded of several hosts, so that only the host tells the files apart. */
export function isOnSeveralHosts(files: readonly FileSummary[], file: FileSummary): boolean {
  return files.some(
    (other) => other.file_path === file.file_path && other.host_name !== file.host_name,
  );
}

/** A path as its name and the folder before it; a library's folder from its package on. */
export function splitPath(filePath: string): { readonly name: string; readonly folder: string } {
  const cut = Math.max(filePath.lastIndexOf('/'), filePath.lastIndexOf('\\'));
  const folder = filePath.slice(0, Math.max(cut, 0));
  const inPackages = /[/\\](?:site|dist)-packages[/\\](.*)$/.exec(folder);
  return { name: filePath.slice(cut + 1) || filePath, folder: inPackages?.[1] ?? folder };
}
