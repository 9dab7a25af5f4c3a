import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import type pg from 'pg';
import { createCatchUpState } from '@tapedeck/search-engine/read-model';
import type { EngineFeed } from '@tapedeck/search-engine/port';
import {
  configurationProblem,
  IndexUnusable,
  isIndexMissing,
  isOfSearchServer,
  isRejected,
  isTransient,
  retryDelayMs,
  ServerSilent,
} from './failures.ts';
import { catalogueIdentity, readIndexStatus, type IndexStatus } from './index/index-status.ts';
import { createLiveness } from './liveness.ts';
import type { Snapshots } from './snapshots.ts';

export type IndexFeedOptions = Readonly<{
  /** For nothing but the question whether the server answers. */
  livenessClient: Client;
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
    /** To be called with every good answer of the server, so that it need not be checked. */
    reportAnswer: () => void;
    /** Takes the error of a failed request: if the server seems to have caused it, the server is checked at once. */
    reportFailure: (error: unknown) => void;
  }>;

const pollIntervalMs = 250;
/** While a reader waits for its own writes. */
const urgentPollIntervalMs = 15;
/** While the search is unavailable. */
const maxRetryDelayMs = 1_000;

/** Keeps the newest snapshot of the index open and knows how far on the tape it is; writes nothing. */
export const startIndexFeed = ({
  livenessClient,
  snapshots,
  pool,
  alias,
  logger,
}: IndexFeedOptions): IndexFeed => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const catchUp = createCatchUpState();
  const liveness = createLiveness({ client: livenessClient, alias });
  let unavailableReason: string | null = null;
  let openedState: bigint | null = null;
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
    if (unavailableReason !== null) logger.info({ alias }, 'search is available again');
    unavailableReason = null;
  };
  /** @throws ServerSilent, or IndexUnusable. */
  const checkServer = async (): Promise<void> => {
    if (unavailableReason === null && !liveness.isDue()) return;
    const hasIndex = await liveness.check().catch((error: unknown) => {
      throw new ServerSilent(configurationProblem(error) ?? messageOf(error), { cause: error });
    });
    // Before the first index there is nothing wrong.
    if (!hasIndex && catchUp.isReady()) {
      throw new IndexUnusable(
        'The index does not exist, or is not of this program: its writer is going to rebuild it.',
      );
    }
  };

  const openSnapshot = async ({ stateNumber }: IndexStatus): Promise<void> => {
    // Before the snapshot is in use, so that one of another catalogue cannot stay in use without the database.
    const catalogue = await catalogueIdentity(pool);
    const snapshot = await snapshots.open();
    liveness.answered();
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
    await checkServer();
    const status = await readIndexStatus(pool, alias);
    if (!status || status.stateNumber === 0n) return setAvailable();
    const isOpen = snapshots.current() !== null && status.stateNumber === openedState;
    if (!isOpen || unavailableReason !== null) await openSnapshot(status);
    catchUp.reached(status.reached);
  };

  const canContinue = (): boolean => unavailableReason === null && snapshots.current() !== null;

  const handleFailure = (error: unknown): void => {
    if (!isOfSearchServer(error)) return reportUnknownProgress(error);
    if (isTransient(error) && canContinue()) {
      // One slow or rejected request is no proof: the next poll checks the server.
      liveness.suspect();
      return reportUnknownProgress(error);
    }
    // The snapshot may be lost: the index was replaced, or the server was restarted.
    openedState = null;
    if (isIndexMissing(error) && !catchUp.isReady()) return;
    setUnavailable(configurationProblem(error) ?? messageOf(error));
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
        handleFailure(error);
        await sleep(Math.min(retryDelayMs(failures), maxRetryDelayMs));
      }
    }
  };
  const running = run();

  return {
    ready: Promise.race([catchUp.ready, firstResult]),
    isReady: () => catchUp.isReady() && unavailableReason === null,
    isUnavailable: () => unavailableReason !== null,
    reportAnswer: liveness.answered,
    reportFailure: (error) => {
      const problem = configurationProblem(error);
      if (problem !== null) setUnavailable(problem);
      else if (!isTransient(error) || isRejected(error)) return;
      liveness.suspect();
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
