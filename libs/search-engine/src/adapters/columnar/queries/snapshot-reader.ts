import type { RequestOptions } from '../../../search-port.ts';
import type { KernelFactory } from '../kernel/kernel.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { OnPublished } from '../writing/async-writer.ts';
import { createCatalogueWriter, type Published } from '../writing/catalogue-writer.ts';
import type { Scheduler } from './scheduler.ts';
import {
  generationCache,
  snapshotCache,
  type GenerationCache,
  type SnapshotCache,
  type SnapshotView,
} from './snapshot-view.ts';

/** Lets one request run at a time, because requests share the kernel's mask and working memory. */
export type RequestQueue = Readonly<{
  /**
   * Resolves when it is this request's turn; the returned function ends the turn. Rejects with the signal's reason when
   * the signal aborts before.
   */
  enter: (signal?: AbortSignal) => Promise<() => void>;
  /** Runs the work at once, or as soon as the current request is done. */
  runBetween: (work: () => void) => void;
}>;

export const requestQueue = (): RequestQueue => {
  const waiting = new Set<() => void>();
  let worksBetween: (() => void)[] = [];
  let isBusy = false;

  const runWorksBetween = (): void => {
    const works = worksBetween;
    worksBetween = [];
    for (const work of works) work();
  };
  const startNext = (): void => {
    runWorksBetween();
    const [first] = waiting;
    if (first) first();
    else isBusy = false;
  };
  const untilNext = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => {
        waiting.delete(start);
        reject(signal?.reason as Error);
      };
      const start = (): void => {
        waiting.delete(start);
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      waiting.add(start);
      signal?.addEventListener('abort', onAbort, { once: true });
    });

  return {
    enter: async (signal) => {
      signal?.throwIfAborted();
      if (isBusy) await untilNext(signal);
      isBusy = true;
      return startNext;
    },
    runBetween: (work) => {
      worksBetween.push(work);
      if (!isBusy) runWorksBetween();
    },
  };
};

/** A view for one request, which the request has to close. */
export type OpenView = Readonly<{ view: SnapshotView; close: () => void }>;

/** Gives requests, one at a time, the newest snapshot, which it replaces between two of them. */
export type SnapshotReader = Readonly<{
  open: (options?: RequestOptions) => Promise<OpenView>;
  onPublished: OnPublished;
  /** The snapshot of the next request. */
  newest: () => Snapshot;
}>;

type Current = GenerationCache & SnapshotCache & Readonly<{ release: () => void }>;

// Field by field: in a small catalogue a spread would take longer than the counting.
const viewOf = (current: Current, scheduler: Scheduler, signal: AbortSignal | undefined): SnapshotView => ({
  generation: current.generation,
  kernel: current.kernel,
  binsOf: current.binsOf,
  binTable: current.binTable,
  axisOf: current.axisOf,
  hits: current.hits,
  slots: current.slots,
  words: current.words,
  snapshot: current.snapshot,
  catalogueHistogram: current.catalogueHistogram,
  candidates: current.candidates,
  scheduler,
  signal,
});

const emptyCatalogue = (): Published => {
  const published: Published[] = [];
  const writer = createCatalogueWriter((one) => published.push(one));
  writer.finish(0n, null);
  const [empty] = published;
  if (!empty) throw new Error('The writer has published nothing.');
  return empty;
};

export const createSnapshotReader = (kernel: KernelFactory, scheduler: Scheduler): SnapshotReader => {
  const queue = requestQueue();
  const first = emptyCatalogue();
  let newest = first.snapshot;

  const currentOf = ({ snapshot, generation }: Published, release: () => void, before?: Current): Current => {
    const cache =
      before?.generation === generation
        ? before
        : generationCache(generation, kernel(generation.memory, generation.layout));
    return { ...cache, ...snapshotCache(snapshot, cache), release };
  };
  let current = currentOf(first, () => {});

  return {
    open: async ({ signal } = {}) => {
      const close = await queue.enter(signal);
      try {
        if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
        return { view: viewOf(current, scheduler, signal), close };
      } catch (error) {
        close();
        throw error;
      }
    },
    onPublished: (published, release) => {
      newest = published.snapshot;
      queue.runBetween(() => {
        const before = current;
        current = currentOf(published, release, before);
        before.release();
      });
    },
    newest: () => newest,
  };
};
