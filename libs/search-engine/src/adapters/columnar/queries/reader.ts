import type { RequestOptions } from '../../../search-port.ts';
import { createCatalogueWriter, type Published } from '../writing/catalogue-writer.ts';
import type { KernelFactory } from '../kernel/kernel.ts';
import type { Pace } from './scheduler.ts';
import { questionQueue } from './request-queue.ts';
import {
  readingOf,
  snapshotReadingOf,
  type GenerationReading,
  type Reading,
  type SnapshotReading,
} from './snapshot-view.ts';
import type { Adopt } from '../writing/async-writer.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** Answers from the newest snapshot, and exchanges it between two questions. */
export type CatalogueReader = Readonly<{
  ask: <T>(answer: (reading: Reading) => Promise<T>, options?: RequestOptions) => Promise<T>;
  adopt: Adopt;
  /** The snapshot from which the next question is answered. */
  newest: () => Snapshot;
}>;

type Current = GenerationReading & SnapshotReading & Readonly<{ release: () => void }>;

// Field by field: a spread would cost a small catalogue more than the counting.
const readingFrom = (current: Current, pace: Pace, signal: AbortSignal | undefined): Reading => ({
  generation: current.generation,
  kernel: current.kernel,
  binsOf: current.binsOf,
  binTable: current.binTable,
  axisOf: current.axisOf,
  hits: current.hits,
  slots: current.slots,
  words: current.words,
  snapshot: current.snapshot,
  wholeOf: current.wholeOf,
  candidates: current.candidates,
  pace,
  signal,
});

const emptyCatalogue = (): Published => {
  const made: Published[] = [];
  const writer = createCatalogueWriter((published) => made.push(published));
  writer.finish(0n, null);
  const [empty] = made;
  if (!empty) throw new Error('The writer has published nothing.');
  return empty;
};

export const catalogueReader = (kernel: KernelFactory, pace: Pace): CatalogueReader => {
  const queue = questionQueue();
  const first = emptyCatalogue();
  let newest = first.snapshot;

  const currentOf = ({ snapshot, generation }: Published, release: () => void, before?: Current): Current => {
    const own =
      before?.generation === generation
        ? before
        : readingOf(generation, kernel(generation.memory, generation.layout));
    return { ...own, ...snapshotReadingOf(snapshot, own), release };
  };
  let current = currentOf(first, () => {});

  return {
    ask: (answer, { signal } = {}) =>
      queue.ask(async () => {
        if (pace.isDue()) await pace.rest(signal);
        return answer(readingFrom(current, pace, signal));
      }, signal),
    adopt: (published, release) => {
      newest = published.snapshot;
      queue.between(() => {
        const before = current;
        current = currentOf(published, release, before);
        before.release();
      });
    },
    newest: () => newest,
  };
};
