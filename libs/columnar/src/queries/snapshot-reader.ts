import type { RequestOptions, RequestSender } from '@tapedeck/search-engine/port';
import type { KernelFactory } from '../kernel/kernel.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { OnPublished } from '../writing/async-writer.ts';
import { createCatalogueWriter, type Published } from '../writing/catalogue-writer.ts';
import { requestQueue } from './request-queue.ts';
import type { Scheduler } from './scheduler.ts';
import {
  encodingCache,
  snapshotCache,
  type EncodingCache,
  type SnapshotCache,
  type SnapshotView,
} from './snapshot-view.ts';

/** A view for one request, which the request has to close. */
export type OpenView = Readonly<{ view: SnapshotView; close: () => void }>;

/** Gives requests, one at a time, the newest snapshot, which it replaces between two of them. */
export type SnapshotReader = Readonly<{
  /** @throws DomainError SEARCH_BUSY when the request cannot start in time */
  open: (options?: RequestOptions) => Promise<OpenView>;
  /** Whether such a request that arrived now would be refused. */
  isBusy: (sender: RequestSender) => boolean;
  onPublished: OnPublished;
  /** The snapshot of the next request. */
  newest: () => Snapshot;
}>;

type Current = EncodingCache & SnapshotCache & Readonly<{ release: () => void }>;

// Field by field: in a small catalogue a spread would take longer than the counting.
const viewOf = (current: Current, scheduler: Scheduler, signal: AbortSignal | undefined): SnapshotView => ({
  encoding: current.encoding,
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

  const currentOf = ({ snapshot, encoding }: Published, release: () => void, before?: Current): Current => {
    const cache =
      before?.encoding === encoding
        ? before
        : encodingCache(encoding, kernel(encoding.memory, encoding.layout));
    return { ...cache, ...snapshotCache(snapshot, cache), release };
  };
  let current = currentOf(first, () => {});

  return {
    isBusy: queue.isBusy,
    open: async (options = {}) => {
      const { signal } = options;
      const close = await queue.enter(options);
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
