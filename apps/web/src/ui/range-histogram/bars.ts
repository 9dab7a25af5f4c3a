import { binOf } from './range-scale.ts';

/** Share of the plot's height, on a logarithmic scale; 0 only for a count of 0. */
export const barHeight = (count: number, maxCount: number): number =>
  count <= 0 || maxCount <= 0 ? 0 : Math.min(1, Math.log1p((12 * count) / maxCount) / Math.log1p(12));

/**
 * One vertical stroke per bin, in a box that is one unit wide per bin and 100 high. An empty bin has a stroke too:
 * CSS animates a path only if its number of strokes stays the same.
 */
export const barsPath = (counts: ArrayLike<number>, maxCount: number): string => {
  let path = '';
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin] ?? 0;
    const height = count > 0 ? Math.max(3, Math.round(barHeight(count, maxCount) * 100)) : 0;
    path += `M${bin + 0.5} 100v${-height}`;
  }
  return path;
};

/** How many segments of a meter are lit: those whose lower edge the value reaches, and always the first. */
export const litSegments = (edges: readonly number[], value: number): number =>
  edges.length < 2 ? 0 : binOf(edges, value) + 1;
