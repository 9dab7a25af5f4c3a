import {
  closeSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import type { Change } from '../engine/tables.ts';

/** The changes of the stand-in on disk: one line for each transaction, which is either whole or absent. */
export type Journal = Readonly<{
  /** Returns after the line is with the operating system: it survives the end of the process. */
  append: (changes: readonly Change[]) => void;
  /** Replaces the whole journal, so that nothing that was changed or removed remains on disk. */
  rewrite: (everything: Iterable<Change>) => void;
  close: () => void;
}>;

const privateFile = 0o600;
const linesPerWrite = 500;

const lineOf = (changes: readonly Change[]): Buffer => Buffer.from(`${JSON.stringify(changes)}\n`);

const writeAll = (file: number, bytes: Buffer): void => {
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
};

const readLines = (path: string): readonly string[] => {
  try {
    const text = readFileSync(path, 'utf8');
    // A line without its end was cut off: its request has had no answer.
    return text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter((line) => line !== '');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
};

export const readJournal = (path: string): readonly Change[] =>
  readLines(path).flatMap((line) => JSON.parse(line) as Change[]);

const writeNew = (path: string, everything: Iterable<Change>): Readonly<{ file: number; length: number }> => {
  const next = `${path}.new`;
  const file = openSync(next, 'w', privateFile);
  let length = 0;
  let batch: Change[] = [];
  const flush = (): void => {
    if (batch.length === 0) return;
    const bytes = lineOf(batch);
    writeAll(file, bytes);
    length += bytes.length;
    batch = [];
  };
  for (const change of everything) {
    batch.push(change);
    if (batch.length === linesPerWrite) flush();
  }
  flush();
  fsyncSync(file);
  renameSync(next, path);
  return { file, length };
};

/** Begins with a journal that contains `everything` and no more. */
export const openJournal = (path: string, everything: Iterable<Change>): Journal => {
  mkdirSync(dirname(path), { recursive: true });
  let { file, length } = writeNew(path, everything);
  return {
    append: (changes) => {
      if (changes.length === 0) return;
      const bytes = lineOf(changes);
      try {
        writeAll(file, bytes);
        length += bytes.length;
      } catch (error) {
        // A part of a line would spoil the lines after it.
        ftruncateSync(file, length);
        throw error;
      }
    },
    rewrite: (all) => {
      const before = file;
      ({ file, length } = writeNew(path, all));
      closeSync(before);
    },
    close: () => closeSync(file),
  };
};

export const noJournal: Journal = { append: () => {}, rewrite: () => {}, close: () => {} };
