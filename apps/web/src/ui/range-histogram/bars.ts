/** Share of the plot's height: logarithmic, and still a shape; 0 only for none at all. */
export const barHeight = (count: number, highestOfAll: number): number =>
  count <= 0 || highestOfAll <= 0 ? 0 : Math.min(1, Math.log1p((12 * count) / highestOfAll) / Math.log1p(12));

/** One upright stroke for each bin in a box one unit wide per bin and 100 high; always as many, so it can settle. */
export const barsPath = (counts: ArrayLike<number>, highestOfAll: number): string => {
  let path = '';
  for (let bin = 0; bin < counts.length; bin++) {
    const count = counts[bin] ?? 0;
    const height = count > 0 ? Math.max(3, Math.round(barHeight(count, highestOfAll) * 100)) : 0;
    path += `M${bin + 0.5} 100v${-height}`;
  }
  return path;
};
