import { handle, type EventStore, type HandleResult } from '@tapedeck/eventing';
import { commandId, DomainError, timeOrderedId } from '@tapedeck/kernel';
import { createHash } from 'node:crypto';
import { strategyDecider } from '../domain/decide.ts';
import type { Duplicate, ImportCounts, ImportSource, Rejection } from '../domain/strategy-import.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { strategyEvents } from '../events.ts';
import { strategyStream } from '../domain/strategy.ts';
import type { ImportItem } from '../parsing/parse-file.ts';
import { rejectionOfSize } from './record-size.ts';
import {
  openImportStream,
  type ImportIdentity,
  type ImportReport,
  type ImportStream,
} from './import-report.ts';

export type ImportProgress = ImportCounts &
  Readonly<{
    done: number;
    /** Null while it is unknown. */
    total: number | null;
    /** The item that was processed last. */
    current: string;
    /** Those since the last progress. */
    rejections: readonly Rejection[];
  }>;

export type ImportOptions = ImportIdentity &
  Readonly<{
    onProgress?: ((progress: ImportProgress) => void) | undefined;
    /** Cancels the import; strategies imported until then stay in the catalogue. */
    signal?: AbortSignal | undefined;
  }>;

type Items = AsyncIterable<ImportItem> | Iterable<ImportItem>;

export type ItemSource = Readonly<{
  source: ImportSource;
  /** Of several items with one url_id the first counts. */
  items: () => Items;
  total: () => number | null;
}>;

const maxChunkRecords = 128;
const maxChunkCharacters = 4_000_000;
const maxChunksInFlight = 2;
const maxRejections = 20_000;
const rejectionsPerReport = 100;

type ImportOutcome = 'added' | 'revised' | 'unchanged';

/** Counts what an import does. */
type ImportCounter = Readonly<{
  counts: () => ImportCounts;
  /** All items so far, duplicates included. */
  done: () => number;
  count: (outcome: ImportOutcome) => void;
  reject: (rejection: Rejection) => void;
  /** The rejections since the last call. */
  takeRejections: () => readonly Rejection[];
  /** False when an item with this url_id came before: the first one counts, this one is a duplicate. */
  isFirst: (urlId: string, entry: string) => boolean;
  duplicates: () => readonly Duplicate[];
}>;

const maxNamedEntriesOfDuplicate = 20;

const createCounter = (): ImportCounter => {
  const counts = { added: 0, revised: 0, unchanged: 0, rejected: 0 };
  const kept = new Map<string, string>();
  const dropped = new Map<string, string[]>();
  let duplicateItems = 0;
  let rejections: Rejection[] = [];
  return {
    counts: () => ({ ...counts }),
    done: () => counts.added + counts.revised + counts.unchanged + counts.rejected + duplicateItems,
    count: (outcome) => {
      counts[outcome]++;
    },
    reject: (rejection) => {
      counts.rejected++;
      rejections.push(rejection);
    },
    takeRejections: () => {
      const taken = rejections;
      rejections = [];
      return taken;
    },
    isFirst: (urlId, entry) => {
      if (!kept.has(urlId)) {
        kept.set(urlId, entry);
        return true;
      }
      duplicateItems++;
      const entries = dropped.get(urlId) ?? [];
      if (entries.length < maxNamedEntriesOfDuplicate) entries.push(entry);
      dropped.set(urlId, entries);
      return false;
    },
    duplicates: () =>
      [...dropped].map(([urlId, entries]) => ({ urlId, kept: kept.get(urlId) ?? '', dropped: entries })),
  };
};

const sortedKeys = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sortedKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, part]) => [key, sortedKeys(part)]));
};

/** A hash that is equal for equal records, whatever the order of their fields, and the record as JSON. */
export const contentOf = (record: StrategyRecord): Readonly<{ contentHash: string; json: string }> => {
  const json = JSON.stringify(sortedKeys(record));
  return { contentHash: createHash('sha256').update(json).digest('hex'), json };
};

const cancelled = (): DomainError =>
  new DomainError(
    'invalid',
    'IMPORT_CANCELLED',
    'The import was cancelled; strategies imported until then stay in the catalogue.',
  );

const tooManyRejections = (): DomainError =>
  new DomainError(
    'invalid',
    'TOO_MANY_REJECTIONS',
    `More than ${maxRejections.toLocaleString('en')} records could not be read: this does not look like a catalogue of strategies.`,
  );

/** Whether an error rejects one record only, and not the import. */
const isAboutOneRecord = (error: unknown): error is DomainError =>
  error instanceof DomainError && ['conflict', 'invalid', 'too-large'].includes(error.kind);

/** Whether an error ends the import for good; after any other one it can be resumed. */
const isFinal = (error: unknown): error is DomainError =>
  error instanceof DomainError && error.kind !== 'unavailable';

/** The outcome of a command, also when an interrupted run of the same import has sent it before. */
const outcomeOf = ({ firstVersion }: HandleResult): ImportOutcome => {
  if (firstVersion === null) return 'unchanged';
  return firstVersion === 1 ? 'added' : 'revised';
};

type Run = Readonly<{
  store: EventStore;
  stream: ImportStream;
  counter: ImportCounter;
  /** Writes new rejections to the import's stream and calls `onProgress`. */
  reportProgress: (current: string) => Promise<void>;
  signal?: AbortSignal | undefined;
}>;

type ChunkRecord = Readonly<{ entry: string; record: StrategyRecord; contentHash: string }>;

/** Sends one command per record; their streams are read in one round trip and appended to together. */
const importChunk = async (run: Run, chunk: readonly ChunkRecord[]): Promise<void> => {
  const { store, stream, counter } = run;
  const histories = await store.readStreams(chunk.map(({ record }) => strategyStream(record.url_id)));
  const importStrategy = handle(store, strategyDecider, strategyEvents);
  const context = stream.context();

  const importOne = async ({ entry, record, contentHash }: ChunkRecord): Promise<void> => {
    const strategy = strategyStream(record.url_id);
    const history = histories.get(strategy) ?? [];
    const id = commandId(timeOrderedId(context.correlationId, 'import', record.url_id, contentHash));
    const command = { type: 'ImportStrategy', record, contentHash } as const;
    try {
      const handled = await importStrategy(strategy, command, { ...context, commandId: id }, { history });
      counter.count(outcomeOf(handled));
    } catch (error) {
      if (!isAboutOneRecord(error)) throw error;
      counter.reject({ entry, urlId: record.url_id, code: error.code, reason: error.message });
    }
  };

  const results = await Promise.allSettled(chunk.map(importOne));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
  await run.reportProgress(chunk.at(-1)?.record.title ?? '');
};

/** Imports all items in chunks; the next chunk is read while earlier ones are written. */
const importAll = async (run: Run, items: Items): Promise<void> => {
  const { counter, signal } = run;
  const inFlight = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let chunk: ChunkRecord[] = [];
  let chunkCharacters = 0;

  const sendChunk = async (): Promise<void> => {
    const sent: Promise<void> = importChunk(run, chunk)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => inFlight.delete(sent));
    inFlight.add(sent);
    chunk = [];
    chunkCharacters = 0;
    if (inFlight.size >= maxChunksInFlight) await Promise.race(inFlight);
  };
  const addRecord = async (entry: string, record: StrategyRecord): Promise<void> => {
    if (!counter.isFirst(record.url_id, entry)) return;
    const { contentHash, json } = contentOf(record);
    const tooLarge = rejectionOfSize(json);
    if (tooLarge) {
      return reject({ entry, urlId: record.url_id, code: tooLarge.code, reason: tooLarge.message });
    }
    chunk.push({ entry, record, contentHash });
    chunkCharacters += json.length;
    if (chunk.length >= maxChunkRecords || chunkCharacters >= maxChunkCharacters) await sendChunk();
  };
  const reject = async (rejection: Rejection): Promise<void> => {
    counter.reject(rejection);
    const { rejected } = counter.counts();
    if (rejected > maxRejections) throw tooManyRejections();
    if (rejected % rejectionsPerReport === 0) await run.reportProgress(rejection.entry);
  };

  try {
    for await (const item of items) {
      if (signal?.aborted) throw cancelled();
      if (failures.length > 0) break;
      await (item.kind === 'record' ? addRecord(item.entry, item.record) : reject(item.rejection));
    }
    if (failures.length === 0 && chunk.length > 0) await sendChunk();
  } finally {
    await Promise.all(inFlight);
  }
  if (failures.length > 0) throw failures[0];
};

/**
 * Runs an import, whose stream has it requested, entries rejected, completed or failed. An interrupted import
 * resumes under the same id; a complete one returns its report again.
 */
export const importItems = async (
  { source, items, total }: ItemSource,
  options: ImportOptions,
): Promise<ImportReport> => {
  const { store, signal, onProgress } = options;
  const stream = openImportStream(options);
  const counter = createCounter();
  const reportProgress = async (current: string): Promise<void> => {
    const rejections = counter.takeRejections();
    await stream.reject(rejections);
    onProgress?.({ ...counter.counts(), done: counter.done(), total: total(), current, rejections });
  };

  const earlier = await stream.request(source);
  if (earlier) return earlier;
  try {
    await importAll({ store, stream, counter, reportProgress, signal }, items());
  } catch (error) {
    if (!isFinal(error)) throw error;
    await reportProgress('');
    return stream.fail(counter.counts(), error);
  }
  await reportProgress('');
  return stream.complete(counter.counts(), counter.duplicates());
};

/**
 * Imports records that a program makes; of several with one url_id the first counts.
 *
 * @example
 * await importRecords({ name: 'demo', records: demoRecords({ count: 4_500 }), total: 4_500, importId, store, actor, clock });
 */
export const importRecords = async (
  options: ImportOptions &
    Readonly<{
      name: string;
      records: AsyncIterable<StrategyRecord> | Iterable<StrategyRecord>;
      total?: number;
    }>,
): Promise<ImportReport> => {
  const { name, records, total = null } = options;
  const items = async function* (): AsyncGenerator<ImportItem> {
    for await (const record of records) yield { kind: 'record', entry: record.url_id, record };
  };
  return importItems({ source: { kind: 'records', name }, items, total: () => total }, options);
};
