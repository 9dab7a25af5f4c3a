import { positionsPerBin, similarityUnit } from '@tapedeck/search-engine/catalogue';
import { facetFields, facets } from '@tapedeck/search-engine/contract';
import type { SearchHit } from '@tapedeck/search-engine/port';
import { binOffset } from '../kernel/layout.ts';
import { compareIds } from '../snapshot/permutation.ts';
import { slotOf } from '../snapshot/snapshot.ts';
import { byteAt, maskAt, shortAt } from '../snapshot/typed-arrays.ts';
import { hitOf, type SnapshotView } from './snapshot-view.ts';

/** A facet's buckets, one per `stride` bytes, and the similarity of each bucket to that of the given row. */
type FacetSimilarity = Readonly<{ buckets: Uint8Array; stride: number; similarity: Uint16Array }>;

const rowsPerPiece = 8_192;

const facetSimilarities = (
  { encoding, snapshot, binsOf }: SnapshotView,
  own: number,
): readonly FacetSimilarity[] => {
  const { memory, layout } = encoding;
  const { stride } = layout;
  return facetFields.map((field, facet) => {
    const length = stride * snapshot.size - facet;
    const buckets = new Uint8Array(memory.buffer, layout.buckets + facet, length);
    const bins = binsOf(field, 'quantile');
    const unknown = facets[field].bins;
    const ownBin = byteAt(bins, byteAt(buckets, stride * own)) / binOffset;
    const similarity = Uint16Array.from(bins, (offset) => {
      const bin = offset / binOffset;
      return bin < unknown && ownBin < unknown
        ? similarityUnit - Math.abs(bin - ownBin) * positionsPerBin(field)
        : 0;
    });
    return { buckets, stride, similarity };
  });
};

const addSimilarity = (
  { buckets, stride, similarity }: FacetSimilarity,
  from: number,
  length: number,
  sums: Uint16Array,
): void => {
  for (let i = 0; i < length; i++) {
    sums[i] = shortAt(sums, i) + shortAt(similarity, byteAt(buckets, stride * (from + i)));
  }
};

type Match = Readonly<{ slot: number; sum: number }>;

/** The strategies most similar to one, by `similarity.ts`; null when it is not in the catalogue. */
export const findSimilar = async (
  view: SnapshotView,
  urlId: string,
  limit: number,
): Promise<readonly SearchHit[] | null> => {
  const { snapshot, scheduler, signal } = view;
  const own = slotOf(snapshot, urlId);
  if (own < 0) return null;
  const facets = facetSimilarities(view, own);
  const byId = compareIds(snapshot.columns.ids);
  const sums = new Uint16Array(rowsPerPiece);
  let best: readonly Match[] = [];
  let minSum = 1;

  const consider = (slot: number, sum: number): void => {
    if (slot === own || maskAt(snapshot.alive, slot) !== 0) return;
    const all = [...best, { slot, sum }].sort((a, b) => b.sum - a.sum || byId(a.slot, b.slot));
    best = all.slice(0, limit);
    if (best.length === limit) minSum = Math.max(1, best.at(-1)?.sum ?? 1);
  };

  for (let from = 0; from < snapshot.size; from += rowsPerPiece) {
    const length = Math.min(rowsPerPiece, snapshot.size - from);
    sums.fill(0);
    for (const facet of facets) addSimilarity(facet, from, length, sums);
    for (let i = 0; i < length; i++) {
      const sum = shortAt(sums, i);
      if (sum >= minSum) consider(from + i, sum);
    }
    if (scheduler.shouldYield()) await scheduler.yieldToEventLoop(signal);
  }
  return best.map(({ slot }) => hitOf(view, slot));
};
