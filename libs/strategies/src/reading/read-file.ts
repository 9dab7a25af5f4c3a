import { DomainError } from '@tapedeck/kernel';
import type { Rejection } from '../domain/strategy-import.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { decodeText } from './decode-text.ts';
import { readRecord, urlIdOf } from './read-record.ts';
import { refusal } from './refusal.ts';

/** A record with the place it stood at, or why there is none. */
export type Candidate =
  | Readonly<{ kind: 'record'; entry: string; record: StrategyRecord }>
  | (Readonly<{ kind: 'rejected' }> & Rejection);

export const rejected = (entry: string, error: unknown, urlId: string | null = null): Candidate => {
  if (!(error instanceof DomainError)) throw error;
  return { kind: 'rejected', entry, urlId, code: error.code, reason: error.message };
};

const candidate = (entry: string, value: unknown): Candidate => {
  try {
    return { kind: 'record', entry, record: readRecord(value) };
  } catch (error) {
    return rejected(entry, error, urlIdOf(value));
  }
};

const noJson = (what: string): DomainError => refusal('NOT_JSON', `${what} is not valid JSON.`);

/** Lines from the last to the first, with their numbers; a file of a million lines makes no million strings. */
function* linesBackwards(text: string): Generator<readonly [line: string, number: number]> {
  let number = 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) number++;
  for (let end = text.length; end >= 0; number--) {
    const start = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (line !== '') yield [line, number];
    end = start - 1;
  }
}

const parsed = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

function* recordsOfLines(name: string, text: string): Generator<Candidate> {
  for (const [line, number] of linesBackwards(text)) {
    const entry = `${name} line ${number}`;
    const json = parsed(line);
    yield json ? candidate(entry, json.value) : rejected(entry, noJson('The line'));
  }
}

function* recordsOfArray(name: string, values: readonly unknown[]): Generator<Candidate> {
  if (values.length === 0) yield rejected(name, refusal('EMPTY_FILE', 'The list in it is empty.'));
  for (let index = values.length - 1; index >= 0; index--) {
    yield candidate(`${name} item ${index + 1}`, values[index]);
  }
}

const isOneOfLines = (text: string): boolean => {
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.startsWith('{') && parsed(first) !== null;
};

function* recordsOfText(name: string, text: string): Generator<Candidate> {
  if (text.trim() === '') {
    yield rejected(name, refusal('EMPTY_FILE', 'It is empty.'));
    return;
  }
  const json = parsed(text);
  if (json) {
    if (Array.isArray(json.value)) yield* recordsOfArray(name, json.value);
    else yield candidate(name, json.value);
  } else if (/\.(?:ndjson|jsonl)$/i.test(name) || isOneOfLines(text)) yield* recordsOfLines(name, text);
  else yield rejected(name, noJson('It'));
}

/**
 * The records of one file: a JSON object, an array of them, or one per line.
 * The last comes first, so that among several of one url_id the first seen is the one that counts (D23).
 */
export function* recordsOfFile(name: string, bytes: Buffer): Generator<Candidate> {
  let text: string;
  try {
    text = decodeText(bytes);
  } catch (error) {
    yield rejected(name, error);
    return;
  }
  yield* recordsOfText(name, text);
}

/** Whether a file can hold records, told by its name. */
export const refusedByName = (name: string): DomainError | null => {
  if (/\.(?:json|ndjson|jsonl)$/i.test(name)) return null;
  if (/\.(?:zip|gz|tgz|tar|7z|rar|bz2|xz|zst)$/i.test(name)) {
    return refusal('NESTED_ARCHIVE', 'It is an archive within the archive: unpack it first.');
  }
  return refusal('NOT_A_JSON_FILE', 'Only .json, .jsonl and .ndjson files are read.');
};
