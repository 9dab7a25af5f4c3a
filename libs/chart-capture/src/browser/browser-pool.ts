import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@tapedeck/kernel';
import type { Logger } from '@tapedeck/platform/log';
import type { Browser } from 'playwright-core';
import type { RunningBrowser } from './launch.ts';
import { browserEnds, browserStarts } from './metrics.ts';

export type BrowserLimits = Readonly<{
  /** After so many pages the browser is replaced. */
  maxPages: number;
  /** The most memory of all its processes, in bytes. */
  maxMemoryBytes: number;
  memoryPollMs: number;
  /** Without work for so long, it is closed. */
  idleMs: number;
  /** After a start that failed, or a second crash in a row; twice as long each time. */
  firstBackOffMs: number;
  maxBackOffMs: number;
}>;

export const browserLimits: Omit<BrowserLimits, 'maxMemoryBytes'> = {
  maxPages: 100,
  memoryPollMs: 250,
  idleMs: 300_000,
  firstBackOffMs: 500,
  maxBackOffMs: 15_000,
};

/** The browser cannot be started at the moment. */
export class BrowserBackOff extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('Chromium has ended several times in a row.');
    this.retryAfterMs = retryAfterMs;
  }
}

/** The browser had ended before the page was begun. */
export class BrowserEnded extends Error {}

/** A page that was not begun, or whose browser another page has ended, is tried again. */
const maxAttempts = 3;

type Shared = {
  readonly running: RunningBrowser;
  readonly folder: string;
  pages: number;
  inUse: number;
  isRetired: boolean;
  hasEnded: boolean;
  isKilled: boolean;
  ending: Promise<void> | undefined;
};

export type BrowserPoolOptions = Readonly<{
  limits: BrowserLimits;
  /** For profiles; the pool makes a folder in it for each browser. */
  folder: string;
  launch: (folder: string) => Promise<RunningBrowser>;
  logger: Logger;
}>;

/** What a page does to the browser that it shares with others. */
export type BrowserControl = Readonly<{
  /** No further page gets this browser, which ends with those that it has. */
  retire: () => void;
  /** For a browser that does not close a page. Other pages that it has get another browser. */
  kill: () => void;
}>;

export type BrowserPool = Readonly<{
  /** Runs work in the one browser, which is started when there is none. @throws BrowserBackOff */
  use: <Result>(work: (browser: Browser, control: BrowserControl) => Promise<Result>) => Promise<Result>;
  close: () => Promise<void>;
}>;

/** One browser for all pages, started when it is needed and replaced when it has crashed, grown or served enough pages. */
export const createBrowserPool = (options: BrowserPoolOptions): BrowserPool => {
  const { limits, folder, launch, logger } = options;
  const all = new Set<Shared>();
  let current: Promise<Shared> | undefined;
  let failures = 0;
  let mayStartAt = 0;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const noteFailure = (): void => {
    failures++;
    const backOff = failures === 1 ? 0 : limits.firstBackOffMs * 2 ** Math.min(failures - 2, 10);
    mayStartAt = performance.now() + Math.min(backOff, limits.maxBackOffMs);
  };

  const end = (shared: Shared): Promise<void> => {
    shared.ending ??= shared.running
      .close()
      .then(() => rm(shared.folder, { recursive: true, force: true, maxRetries: 3 }))
      .catch(() => undefined)
      .finally(() => all.delete(shared));
    return shared.ending;
  };

  const retire = (shared: Shared, reason: string): void => {
    if (shared.isRetired) return;
    shared.isRetired = true;
    current = undefined;
    browserEnds.inc({ reason });
    if (shared.inUse === 0 || shared.hasEnded) void end(shared);
  };

  const watchMemory = async (shared: Shared): Promise<void> => {
    while (shared.inUse > 0 && !shared.hasEnded) {
      const bytes = await shared.running.memoryBytes();
      if (bytes > limits.maxMemoryBytes) {
        logger.warn({ bytes }, 'the browser was ended: its pages took too much memory');
        retire(shared, 'memory');
        shared.running.kill();
        return;
      }
      await new Promise((resolve) => {
        setTimeout(resolve, limits.memoryPollMs).unref();
      });
    }
  };

  const noteEnd = async (shared: Shared): Promise<void> => {
    await shared.running.ended;
    shared.hasEnded = true;
    if (shared.isRetired) return;
    noteFailure();
    logger.warn({ failures }, 'the browser has ended by itself');
    retire(shared, 'crash');
  };

  const start = async (): Promise<Shared> => {
    const waitMs = mayStartAt - performance.now();
    if (waitMs > 0) throw new BrowserBackOff(waitMs);
    const own = await mkdtemp(join(folder, 'browser-'));
    try {
      const startedAt = performance.now();
      const running = await launch(own);
      browserStarts.inc();
      logger.info({ pid: running.pid, ms: Math.round(performance.now() - startedAt) }, 'the browser runs');
      const shared: Shared = {
        running,
        folder: own,
        pages: 0,
        inUse: 0,
        isRetired: false,
        hasEnded: false,
        isKilled: false,
        ending: undefined,
      };
      all.add(shared);
      void noteEnd(shared);
      return shared;
    } catch (error) {
      await rm(own, { recursive: true, force: true }).catch(() => undefined);
      noteFailure();
      logger.error({ err: messageOf(error).slice(0, 2_000) }, 'the browser could not be started');
      throw error;
    }
  };

  const acquire = async (): Promise<Shared> => {
    if (isClosed) throw new Error('The browser pool is closed.');
    const starting = (current ??= start());
    try {
      return await starting;
    } catch (error) {
      if (current === starting) current = undefined;
      throw error;
    }
  };

  const closeWhenIdle = (shared: Shared): void => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => retire(shared, 'idle'), limits.idleMs).unref();
  };

  const release = (shared: Shared): void => {
    shared.inUse--;
    if (shared.pages >= limits.maxPages) retire(shared, 'age');
    if (shared.inUse > 0) return;
    if (shared.isRetired) void end(shared);
    else closeWhenIdle(shared);
  };

  const useOnce = async <Result>(
    work: (browser: Browser, control: BrowserControl) => Promise<Result>,
  ): Promise<Readonly<{ result: Result }> | 'ended'> => {
    const shared = await acquire();
    clearTimeout(idleTimer);
    shared.inUse++;
    shared.pages++;
    if (shared.inUse === 1) void watchMemory(shared);
    let isKiller = false;
    const control = {
      retire: () => retire(shared, 'stuck'),
      kill: () => {
        isKiller = true;
        shared.isKilled = true;
        retire(shared, 'stuck');
        shared.running.kill();
      },
    };
    try {
      const result = await work(shared.running.browser, control);
      // A page was served to its end.
      if (!shared.hasEnded) failures = 0;
      return { result };
    } catch (error) {
      if (error instanceof BrowserEnded || (shared.isKilled && !isKiller)) return 'ended';
      throw error;
    } finally {
      release(shared);
    }
  };

  return {
    use: async (work) => {
      for (let attempt = 1; ; attempt++) {
        const used = await useOnce(work);
        if (used !== 'ended') return used.result;
        if (attempt === maxAttempts) throw new BrowserBackOff(limits.firstBackOffMs);
      }
    },
    close: async () => {
      isClosed = true;
      clearTimeout(idleTimer);
      await current?.catch(() => undefined);
      await Promise.all([...all].map(end));
    },
  };
};
