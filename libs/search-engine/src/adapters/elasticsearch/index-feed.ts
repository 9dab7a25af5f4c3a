import { setTimeout as wait } from 'node:timers/promises';
import { errors, type Client } from '@elastic/elasticsearch';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';

import type { EngineFeed } from '../../search-backend.ts';
import { createCatchUpState } from '../../catalogue/catch-up-state.ts';
import { isPassing, wrongServer } from './failures.ts';
import { catalogueIdentity, readNotice, type IndexNotice } from './index/index-status.ts';
import { keepAlive } from './requests/msearch.ts';
import { waitBefore } from './writer/retry-policy.ts';
import type { Views } from './snapshots.ts';

export type IndexFeedOptions = Readonly<{
  client: Client;
  views: Views;
  /** The database of the read model, where the writer leaves its notices. */
  pool: pg.Pool;
  alias: string;
  logger: ProjectorLogger;
}>;

/** The feed of a process that only reads the index, and whether the server answers it. */
export type IndexFeed = EngineFeed &
  Readonly<{
    isUnavailable: () => boolean;
    /** A question has failed: if the server is the reason, readers are told so until it answers again. */
    failed: (error: unknown) => void;
  }>;

/** Milliseconds between two looks at the notices, and while a reader waits for its own writes. */
const lookInterval = 250;
const hastyInterval = 15;
/** Milliseconds between two proofs that the server is there; each keeps the open state open. */
const pingInterval = 2_000;
const pingTimeout = 3_000;

const ping = async (client: Client, pit: string): Promise<void> => {
  await client.search(
    { pit: { id: pit, keep_alive: keepAlive }, size: 0, track_total_hits: false, query: { match_none: {} } },
    { requestTimeout: pingTimeout },
  );
};

/** Whether the server answers while there is no state to ask; needs no right but to read. */
const pingServer = async (client: Client, alias: string): Promise<void> => {
  await client.search({ index: alias, ignore_unavailable: true, size: 0 }, { requestTimeout: pingTimeout });
};

const isMissing = (error: unknown): boolean =>
  error instanceof errors.ResponseError && error.statusCode === 404;

/** Keeps the newest state of the index open and knows how far it is; nothing is written from here. */
export const followIndex = ({ client, views, pool, alias, logger }: IndexFeedOptions): IndexFeed => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const standing = createCatchUpState();
  let away: string | null = null;
  let opened: bigint | null = null;
  let pingedAt = -Infinity;
  let waiting = 0;
  let nudge = (): void => {};
  let settled = (): void => {};
  const known = new Promise<void>((resolve) => {
    settled = resolve;
  });

  const setAway = (reason: string): void => {
    if (away !== reason) logger.error({ alias, reason }, `the search is away: ${reason}`);
    away = reason;
    settled();
  };
  const isBack = (): void => {
    if (away !== null) logger.info({ alias }, 'the search answers again');
    away = null;
  };

  const openState = async ({ stamp }: IndexNotice): Promise<void> => {
    const view = await views.open();
    if (view.standing.catalogue !== (await catalogueIdentity(pool))) {
      views.lose(view);
      throw new Error('The index was filled from another database: its writer builds it anew.');
    }
    opened = stamp;
    pingedAt = performance.now();
    isBack();
    standing.caughtUp(view.position);
    settled();
  };

  const look = async (): Promise<void> => {
    const notice = await readNotice(pool, alias);
    if (!notice || notice.stamp === 0n) {
      if (performance.now() - pingedAt < pingInterval && away === null) return;
      await pingServer(client, alias);
      pingedAt = performance.now();
      return isBack();
    }
    const view = views.current();
    if (!view || notice.stamp !== opened) await openState(notice);
    else if (away !== null || performance.now() - pingedAt > pingInterval) {
      await ping(client, view.pit);
      pingedAt = performance.now();
      isBack();
    }
    standing.reached(notice.reached);
  };

  const failed = (error: unknown): void => {
    const reason = wrongServer(error) ?? (isPassing(error) ? messageOf(error) : null);
    if (reason === null) return;
    setAway(reason);
    nudge();
  };

  const pauseFor = async (ms: number): Promise<void> => {
    const early = new AbortController();
    nudge = () => early.abort();
    await wait(ms, undefined, { signal: AbortSignal.any([signal, early.signal]) }).catch(() => {});
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      try {
        await look();
        failures = 0;
        await pauseFor(waiting > 0 ? hastyInterval : lookInterval);
      } catch (error) {
        failures++;
        // What was open may be gone: the index was replaced, or the server has started anew.
        opened = null;
        if (!isMissing(error)) setAway(wrongServer(error) ?? messageOf(error));
        await pauseFor(waitBefore(failures));
      }
    }
  };
  const running = run();

  return {
    ready: Promise.race([standing.ready, known]),
    isReady: () => standing.isReady() && away === null,
    isUnavailable: () => away !== null,
    failed,
    onChange: standing.onChange,
    waitFor: async (position, timeoutMs) => {
      if (away !== null) return false;
      waiting++;
      nudge();
      return standing.waitFor(position, timeoutMs).finally(() => waiting--);
    },
    stop: async () => {
      stopping.abort();
      standing.close();
      await running;
      await views.close();
    },
  };
};
