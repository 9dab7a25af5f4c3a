import type { EventStore, FollowOptions, ReadTapeOptions, TapePage } from '../event-store.ts';
import { pause } from '../pause.ts';
import type { TapeWatch } from './head-poller.ts';

const shortestBackoff = 50;
const longestBackoff = 2_000;

export type FollowSource = Readonly<{
  readTape: EventStore['readTape'];
  waitBeyond: TapeWatch['waitBeyond'];
  /** Whether to try again after this error (a lost connection) instead of giving it to the reader. */
  isTransient: (error: unknown) => boolean;
}>;

/** The next page, however often the connection is lost meanwhile; undefined once the signal is aborted. */
const readPatiently = async (
  source: FollowSource,
  options: ReadTapeOptions,
  signal: AbortSignal,
): Promise<TapePage | undefined> => {
  for (let backoff = shortestBackoff; !signal.aborted; backoff = Math.min(backoff * 2, longestBackoff)) {
    try {
      return await source.readTape(options);
    } catch (error) {
      if (!source.isTransient(error)) throw error;
      await pause(backoff, signal);
    }
  }
  return undefined;
};

/** Pages for as long as the signal is not aborted; waits while there is nothing new. */
export const followTape = async function* (
  source: FollowSource,
  { after, batchSize, types, signal }: FollowOptions,
): AsyncGenerator<TapePage, void, void> {
  let position = after;
  while (!signal.aborted) {
    const options = { after: position, limit: batchSize, ...(types ? { types } : {}) };
    const page = await readPatiently(source, options, signal);
    if (!page || signal.aborted) return;
    if (page.position > position) {
      position = page.position;
      yield page;
    } else {
      await source.waitBeyond(position, signal);
    }
  }
};
