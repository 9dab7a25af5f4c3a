import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';
import { createCatchUpState } from '../../catalogue/catch-up-state.ts';
import type { EngineFeed } from '../../search-backend.ts';
import { keepAlive } from './client.ts';
import {
  configurationProblem,
  IndexUnusable,
  isNotFound,
  isOfSearchServer,
  isTransient,
  retryDelayMs,
} from './failures.ts';
import { catalogueIdentity, readIndexStatus, type IndexStatus } from './index/index-status.ts';
import type { Snapshots } from './snapshots.ts';

export type IndexFeedOptions = Readonly<{
  client: Client;
  snapshots: Snapshots;
  /** The database of the read model, where the writer records the index's status. */
  pool: pg.Pool;
  alias: string;
  logger: ProjectorLogger;
}>;

/** The feed of a process that only reads the index. */
export type IndexFeed = EngineFeed &
  Readonly<{
    isUnavailable: () => boolean;
    /** Takes the error of a failed request: if the server caused it, the search is unavailable until a poll succeeds. */
    reportFailure: (error: unknown) => void;
  }>;

const pollIntervalMs = 250;
/** While a reader waits for its own writes. */
const urgentPollIntervalMs = 15;
/** Between two checks that the server answers; each also keeps the open snapshot alive. */
const pingIntervalMs = 2_000;
const pingTimeoutMs = 3_000;

const pingSnapshot = async (client: Client, pit: string): Promise<void> => {
  await client.search(
    { pit: { id: pit, keep_alive: keepAlive }, size: 0, track_total_hits: false, query: { match_none: {} } },
    { requestTimeout: pingTimeoutMs },
  );
};

/** Works while there is no snapshot, and needs no privilege but to read. */
const pingServer = async (client: Client, alias: string): Promise<void> => {
  await client.search({ index: alias, ignore_unavailable: true, size: 0 }, { requestTimeout: pingTimeoutMs });
};

/** Keeps the newest snapshot of the index open and knows how far on the tape it is; writes nothing. */
export const startIndexFeed = ({ client, snapshots, pool, alias, logger }: IndexFeedOptions): IndexFeed => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const catchUp = createCatchUpState();
  let unavailableReason: string | null = null;
  let openedState: bigint | null = null;
  let pingedAt = -Infinity;
  let waitingReaders = 0;
  let wakeUp = (): void => {};
  let resolveFirstResult = (): void => {};
  const firstResult = new Promise<void>((resolve) => {
    resolveFirstResult = resolve;
  });

  const setUnavailable = (reason: string): void => {
    if (unavailableReason !== reason) logger.error({ alias, reason }, `search is unavailable: ${reason}`);
    unavailableReason = reason;
    resolveFirstResult();
  };
  /** Without the database the open snapshot continues to answer, as the state that it is. */
  const reportUnknownProgress = (error: unknown): void =>
    logger.warn({ alias, err: error }, `progress of the search index is unknown: ${messageOf(error)}`);
  const setAvailable = (): void => {
    pingedAt = performance.now();
    if (unavailableReason !== null) logger.info({ alias }, 'search is available again');
    unavailableReason = null;
  };
  const isPingDue = (): boolean =>
    unavailableReason !== null || performance.now() - pingedAt > pingIntervalMs;

  const openSnapshot = async ({ stateNumber }: IndexStatus): Promise<void> => {
    // Before the snapshot is in use, so that one of another catalogue cannot stay in use without the database.
    const catalogue = await catalogueIdentity(pool);
    const snapshot = await snapshots.open();
    if (snapshot.state.catalogue !== catalogue) {
      snapshots.discard(snapshot);
      throw new IndexUnusable(
        'The index was filled from another database: its writer is going to rebuild it.',
      );
    }
    openedState = stateNumber;
    setAvailable();
    catchUp.caughtUp(snapshot.position);
    resolveFirstResult();
  };

  const poll = async (): Promise<void> => {
    const status = await readIndexStatus(pool, alias);
    if (!status || status.stateNumber === 0n) {
      if (!isPingDue()) return;
      await pingServer(client, alias);
      return setAvailable();
    }
    const snapshot = snapshots.current();
    if (!snapshot || status.stateNumber !== openedState) await openSnapshot(status);
    else if (isPingDue()) {
      await pingSnapshot(client, snapshot.pit);
      setAvailable();
    }
    catchUp.reached(status.reached);
  };

  const sleep = async (ms: number): Promise<void> => {
    const woken = new AbortController();
    wakeUp = () => woken.abort();
    await wait(ms, undefined, { signal: AbortSignal.any([signal, woken.signal]) }).catch(() => {});
  };

  const run = async (): Promise<void> => {
    for (let failures = 0; !signal.aborted;) {
      try {
        await poll();
        failures = 0;
        await sleep(waitingReaders > 0 ? urgentPollIntervalMs : pollIntervalMs);
      } catch (error) {
        failures++;
        // The snapshot may be lost: the index was replaced, or the server was restarted.
        openedState = null;
        if (!isOfSearchServer(error)) reportUnknownProgress(error);
        else if (!isNotFound(error)) setUnavailable(configurationProblem(error) ?? messageOf(error));
        await sleep(retryDelayMs(failures));
      }
    }
  };
  const running = run();

  return {
    ready: Promise.race([catchUp.ready, firstResult]),
    isReady: () => catchUp.isReady() && unavailableReason === null,
    isUnavailable: () => unavailableReason !== null,
    reportFailure: (error) => {
      const reason = configurationProblem(error) ?? (isTransient(error) ? messageOf(error) : null);
      if (reason === null) return;
      setUnavailable(reason);
      wakeUp();
    },
    onChange: catchUp.onChange,
    waitFor: async (position, timeoutMs) => {
      if (unavailableReason !== null) return false;
      waitingReaders++;
      wakeUp();
      return catchUp.waitFor(position, timeoutMs).finally(() => waitingReaders--);
    },
    stop: async () => {
      stopping.abort();
      catchUp.close();
      await running;
      await snapshots.close();
    },
  };
};
