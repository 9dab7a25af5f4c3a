import { DomainError } from '@tapedeck/kernel';
import type { Rejection } from '../domain/strategy-import.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { parseRecord, rejectionError, urlIdOf } from './parse-record.ts';

/** A record and where it stood in the source, or why there is none. */
export type ImportItem =
  | Readonly<{ kind: 'record'; entry: string; record: StrategyRecord }>
  | Readonly<{ kind: 'rejected'; rejection: Rejection }>;

/** @throws `error` itself when it is not about this item */
export const rejectedItem = (entry: string, error: unknown, urlId: string | null = null): ImportItem => {
  if (!(error instanceof DomainError)) throw error;
  return { kind: 'rejected', rejection: { entry, urlId, code: error.code, reason: error.message } };
};

const itemOf = (entry: string, value: unknown): ImportItem => {
  try {
    return { kind: 'record', entry, record: parseRecord(value) };
  } catch (error) {
    return rejectedItem(entry, error, urlIdOf(value));
  }
};

const startsWith = (bytes: Buffer, ...mark: readonly number[]): boolean =>
  bytes.length >= mark.length && mark.every((byte, index) => bytes[index] === byte);

const encodingOf = (bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff)) {
    throw rejectionError('NOT_UTF8', 'It is UTF-32: save it as UTF-8.');
  }
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  return startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8';
};

/**
 * The text of a file in UTF-8, with or without byte order mark, or in UTF-16 with one.
 * @throws DomainError NOT_UTF8
 */
const decodeText = (bytes: Buffer): string => {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const name = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    throw rejectionError('NOT_UTF8', `It is not valid ${name} text: save it as UTF-8.`);
  }
};

const parseJson = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return null;
  }
};

const notJson = (subject: string): DomainError => rejectionError('NOT_JSON', `${subject} is not valid JSON.`);

/** Lines with their numbers, last to first, one string at a time: a file may have a million lines. */
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

function* itemsOfLines(name: string, text: string): Generator<ImportItem> {
  for (const [line, number] of linesBackwards(text)) {
    const entry = `${name} line ${number}`;
    const json = parseJson(line);
    yield json ? itemOf(entry, json.value) : rejectedItem(entry, notJson('The line'));
  }
}

function* itemsOfArray(name: string, values: readonly unknown[]): Generator<ImportItem> {
  if (values.length === 0) yield rejectedItem(name, rejectionError('EMPTY_FILE', 'The list in it is empty.'));
  for (let index = values.length - 1; index >= 0; index--) {
    yield itemOf(`${name} item ${index + 1}`, values[index]);
  }
}

const hasRecordPerLine = (name: string, text: string): boolean => {
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return true;
  const [first = ''] = text.trimStart().split('\n', 1);
  return first.startsWith('{') && parseJson(first) !== null;
};

function* itemsOfText(name: string, text: string): Generator<ImportItem> {
  if (text.trim() === '') {
    yield rejectedItem(name, rejectionError('EMPTY_FILE', 'It is empty.'));
    return;
  }
  const json = parseJson(text);
  if (json && Array.isArray(json.value)) yield* itemsOfArray(name, json.value);
  else if (json) yield itemOf(name, json.value);
  else if (hasRecordPerLine(name, text)) yield* itemsOfLines(name, text);
  else yield rejectedItem(name, notJson('It'));
}

/**
 * The records of one file: a JSON object, an array of objects, or one object per line. They come last to first,
 * so that the first one with a url_id is the one that counts (docs/product-decisions.md#import).
 */
export function* parseFile(name: string, bytes: Buffer): Generator<ImportItem> {
  let text: string;
  try {
    text = decodeText(bytes);
  } catch (error) {
    yield rejectedItem(name, error);
    return;
  }
  yield* itemsOfText(name, text);
}

/** Why a file with this name cannot hold records; null when it can. */
export const rejectionOfName = (name: string): DomainError | null => {
  if (/\.(?:json|ndjson|jsonl)$/i.test(name)) return null;
  if (/\.(?:zip|gz|tgz|tar|7z|rar|bz2|xz|zst)$/i.test(name)) {
    return rejectionError('NESTED_ARCHIVE', 'It is an archive within the archive: unpack it first.');
  }
  return rejectionError('NOT_A_JSON_FILE', 'Only .json, .jsonl and .ndjson files are read.');
};
