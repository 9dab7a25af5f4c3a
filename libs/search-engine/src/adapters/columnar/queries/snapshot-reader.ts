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

/** Runs one request at a time, because requests share the kernel's mask and working memory. */
export type RequestQueue = Readonly<{
  /** Rejects with the signal's reason, without starting the request, when the signal aborts before its start. */
  run: <T>(request: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
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
    run: async (request, signal) => {
      signal?.throwIfAborted();
      if (isBusy) await untilNext(signal);
      isBusy = true;
      try {
        return await request();
      } finally {
        startNext();
      }
    },
    runBetween: (work) => {
      worksBetween.push(work);
      if (!isBusy) runWorksBetween();
    },
  };
};

/** Runs requests on the newest snapshot, which it replaces between two requests. */
export type SnapshotReader = Readonly<{
  run: <T>(request: (view: SnapshotView) => Promise<T>, options?: RequestOptions) => Promise<T>;
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
    run: (request, { signal } = {}) =>
      queue.run(async () => {
        if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
        return request(viewOf(current, scheduler, signal));
      }, signal),
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
