import { DomainError } from '@tapedeck/kernel';
import { setTimeout } from 'node:timers/promises';
import type { EventStore, FollowOptions, ReadTapeOptions, TapePage } from '../event-store.ts';
import type { Position } from '../event.ts';
import type { HeadPoller } from './head-poller.ts';

const minRetryDelayMs = 50;
const maxRetryDelayMs = 2_000;

export type FollowSource = Readonly<{
  readTape: EventStore['readTape'];
  waitBeyond: HeadPoller['waitBeyond'];
  /** Whether to retry after this error (a lost connection) instead of throwing it. */
  isTransient: (error: unknown) => boolean;
  /** Called once per reader: returns a function that throws when the tape is not the one that the reader has read. */
  watchTape: () => (page: TapePage, after: Position) => void;
}>;

/** A reader has passed events that the tape does not have. */
export const tapeChanged = (): DomainError =>
  new DomainError(
    'unavailable',
    'TAPE_CHANGED',
    'The tape was restored or its server replaced: readers have to compare their checkpoint with it.',
  );

/** The next page, with retries after transient errors; undefined once the signal is aborted. */
const readWithRetries = async (
  source: FollowSource,
  options: ReadTapeOptions,
  signal: AbortSignal,
): Promise<TapePage | undefined> => {
  for (let delayMs = minRetryDelayMs; !signal.aborted; delayMs = Math.min(delayMs * 2, maxRetryDelayMs)) {
    try {
      return await source.readTape(options);
    } catch (error) {
      if (!source.isTransient(error)) throw error;
      // Rejects only when the signal is aborted.
      await setTimeout(delayMs, undefined, { signal }).catch(() => {});
    }
  }
  return undefined;
};

/** Pages of the tape until the signal is aborted; waits at the end of the tape for new events. */
export const followTape = async function* (
  source: FollowSource,
  { after, batchSize, types, signal }: FollowOptions,
): AsyncGenerator<TapePage, void, void> {
  const assertSameTape = source.watchTape();
  let position = after;
  while (!signal.aborted) {
    const options = { after: position, limit: batchSize, ...(types ? { types } : {}) };
    const page = await readWithRetries(source, options, signal);
    if (!page || signal.aborted) return;
    assertSameTape(page, position);
    if (page.position > position) {
      position = page.position;
      yield page;
    } else {
      await source.waitBeyond(position, signal);
    }
  }
};
