import type { EventStore } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Candidate } from '../reading/read-file.ts';
import { fingerprintOf } from '../reading/fingerprint.ts';
import { importChunk, type ChunkContext, type ChunkItem } from './import-chunk.ts';
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

/** Reads candidates to their end while the chunks before are being written. */
export const runChunks = async (
  candidates: AsyncIterable<Candidate> | Iterable<Candidate>,
  { store, context, tally, onSettled, signal }: Surroundings,
): Promise<void> => {
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;
  let chunk: ChunkItem[] = [];
  let length = 0;

  const start = async (): Promise<void> => {
    const items = chunk;
    chunk = [];
    length = 0;
    const last = items.at(-1)?.record.title ?? '';
    const work: Promise<void> = importChunk(store, context(), items, tally)
      .then(() => onSettled(last))
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => running.delete(work));
    running.add(work);
    if (running.size >= chunksAtOnce) await Promise.race(running);
  };

  const take = async (candidate: Candidate): Promise<void> => {
    if (candidate.kind === 'rejected') {
      const { entry, urlId, code, reason } = candidate;
      tally.reject({ entry, urlId, code, reason });
      const { rejected } = tally.counts();
      if (rejected > mostRejections) throw tooManyRejections();
      if (rejected % 100 === 0) await onSettled(entry);
      return;
    }
    const { entry, record } = candidate;
    if (!tally.claim(record.url_id, entry)) return;
    const fingerprint = fingerprintOf(record);
    chunk.push({ entry, record, contentHash: fingerprint.contentHash });
    length += fingerprint.length;
    if (chunk.length >= chunkRecords || length >= chunkLength) await start();
  };

  try {
    for await (const candidate of candidates) {
      if (signal?.aborted) throw cancelled();
      if (failure) break;
      await take(candidate);
    }
    if (!failure && chunk.length > 0) await start();
  } finally {
    await Promise.all(running);
  }
  if (failure) throw failure.error;
};
