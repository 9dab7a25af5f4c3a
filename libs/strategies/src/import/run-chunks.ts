import type { EventStore } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Rejection } from '../domain/strategy-import.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import type { Candidate } from '../reading/read-file.ts';
import { fingerprintOf } from '../reading/fingerprint.ts';
import { importChunk, type ChunkContext, type ChunkItem } from './import-chunk.ts';
import { createInFlight } from './in-flight.ts';
import type { ImportTally } from './import-tally.ts';

const chunkRecords = 128;
const chunkLength = 4_000_000;
const chunksAtOnce = 2;
const mostRejections = 20_000;

export type Surroundings = Readonly<{
  store: EventStore;
  context: () => ChunkContext;
  tally: ImportTally;
  /** After every chunk and every hundred rejections. */
  onSettled: (current: string) => Promise<void>;
  signal?: AbortSignal | undefined;
}>;

const cancelled = (): DomainError =>
  new DomainError('invalid', 'IMPORT_CANCELLED', 'It was cancelled; what had gone in stays.');

const tooManyRejections = (): DomainError =>
  new DomainError(
    'invalid',
    'TOO_MANY_REJECTIONS',
    `More than ${mostRejections.toLocaleString('en')} records could not be read: this does not look like a catalogue of strategies.`,
  );

type Chunker = Readonly<{
  /** The chunk that is full with this record, if it is. */
  add: (entry: string, record: StrategyRecord) => readonly ChunkItem[] | null;
  rest: () => readonly ChunkItem[];
}>;

const createChunker = (): Chunker => {
  let chunk: ChunkItem[] = [];
  let length = 0;
  const rest = (): readonly ChunkItem[] => {
    const full = chunk;
    chunk = [];
    length = 0;
    return full;
  };
  return {
    add: (entry, record) => {
      const fingerprint = fingerprintOf(record);
      chunk.push({ entry, record, contentHash: fingerprint.contentHash });
      length += fingerprint.length;
      return chunk.length >= chunkRecords || length >= chunkLength ? rest() : null;
    },
    rest,
  };
};

/** Reads candidates to their end while the chunks before are being written. */
export const runChunks = async (
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>,
  { store, context, tally, onSettled, signal }: Surroundings,
): Promise<void> => {
  const chunker = createChunker();
  const inFlight = createInFlight(chunksAtOnce);

  const send = async (items: readonly ChunkItem[]): Promise<void> => {
    await importChunk(store, context(), items, tally);
    await onSettled(items.at(-1)?.record.title ?? '');
  };
  const reject = async ({ entry, urlId, code, reason }: Rejection): Promise<void> => {
    tally.reject({ entry, urlId, code, reason });
    const { rejected } = tally.counts();
    if (rejected > mostRejections) throw tooManyRejections();
    if (rejected % 100 === 0) await onSettled(entry);
  };
  const take = async (candidate: Candidate): Promise<void> => {
    if (candidate.kind === 'rejected') return reject(candidate);
    const { entry, record } = candidate;
    const full = tally.claim(record.url_id, entry) ? chunker.add(entry, record) : null;
    if (full) await inFlight.add(send(full));
  };

  try {
    for await (const candidate of candidates) {
      if (signal?.aborted) throw cancelled();
      if (inFlight.failed()) break;
      await take(candidate);
    }
    const last = chunker.rest();
    if (!inFlight.failed() && last.length > 0) await inFlight.add(send(last));
  } finally {
    await inFlight.settle();
  }
  inFlight.rethrow();
};
