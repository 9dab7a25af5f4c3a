import { binCount, facetFields } from '../../../contract.ts';
import { similarityUnit, positionsPerBin } from '../../../catalogue/similarity.ts';
import type { SearchHit } from '../../../search-port.ts';
import { binOffset, facetCount } from '../kernel/kernel.ts';
import { compareIds } from '../snapshot/permutation.ts';
import { hitOf, type Reading } from './snapshot-view.ts';
import { slotOf } from '../snapshot/slot-of.ts';
import { byteAt, shortAt } from '../snapshot/typed-arrays.ts';

/** A facet's buckets, row after row, and the likeness to the sought row of each. */
type Axis = Readonly<{ buckets: Uint8Array; likeness: Uint16Array }>;

/** Every row is looked at in eight places. */
const pieceLength = 8_192;

const axesOf = ({ generation, snapshot, binsOf }: Reading, own: number): readonly Axis[] => {
  const { memory, layout } = generation;
  return facetFields.map((field, facet) => {
    const length = facetCount * snapshot.size - facet;
    const buckets = new Uint8Array(memory.buffer, layout.buckets + facet, length);
    const bins = binsOf(field, 'quantile');
    const unknown = binCount[field];
    const ownBin = byteAt(bins, byteAt(buckets, facetCount * own)) / binOffset;
    const likeness = Uint16Array.from(bins, (offset) => {
      const bin = offset / binOffset;
      return bin < unknown && ownBin < unknown
        ? similarityUnit - Math.abs(bin - ownBin) * positionsPerBin(field)
        : 0;
    });
    return { buckets, likeness };
  });
};

const addLikeness = ({ buckets, likeness }: Axis, from: number, length: number, sums: Uint16Array): void => {
  for (let i = 0; i < length; i++) {
    sums[i] = shortAt(sums, i) + shortAt(likeness, byteAt(buckets, facetCount * (from + i)));
  }
};

type Match = Readonly<{ slot: number; sum: number }>;

/** The strategies most like one, by `likeness.ts`; null when it is not in the catalogue. */
export const similarTo = async (
  reading: Reading,
  urlId: string,
  limit: number,
): Promise<readonly SearchHit[] | null> => {
  const { snapshot, pace, signal } = reading;
  const own = slotOf(snapshot, urlId);
  if (own < 0) return null;
  const axes = axesOf(reading, own);
  const byId = compareIds(snapshot.columns.ids);
  const sums = new Uint16Array(pieceLength);
  let best: readonly Match[] = [];
  let least = 1;

  const consider = (slot: number, sum: number): void => {
    if (slot === own || byteAt(snapshot.alive, slot) !== 0) return;
    const all = [...best, { slot, sum }].sort((a, b) => b.sum - a.sum || byId(a.slot, b.slot));
    best = all.slice(0, limit);
    if (best.length === limit) least = Math.max(1, best.at(-1)?.sum ?? 1);
  };

  for (let from = 0; from < snapshot.size; from += pieceLength) {
    const length = Math.min(pieceLength, snapshot.size - from);
    sums.fill(0);
    for (const axis of axes) addLikeness(axis, from, length, sums);
    for (let i = 0; i < length; i++) {
      const sum = shortAt(sums, i);
      if (sum >= least) consider(from + i, sum);
    }
    if (pace.isDue()) await pace.rest(signal);
  }
  return best.map(({ slot }) => hitOf(reading, slot));
};
