/** In pixels below the start of the first row. */
export type Viewport = Readonly<{ top: number; bottom: number }>;

/** A row to draw, after a gap for the rows between it and the one before. */
export type DrawnRow = Readonly<{ index: number; gapPx: number }>;

export type DrawnRows = Readonly<{
  rows: readonly DrawnRow[];
  /** Below the last of them. */
  endGapPx: number;
}>;

/** Where each row starts, and where the last one ends. */
export const rowStarts = (heights: readonly number[]): readonly number[] => {
  let end = 0;
  return [0, ...heights.map((height) => (end += height))];
};

/** The row at a place; the nearest one for a place outside. */
const rowAt = (starts: readonly number[], px: number): number => {
  let [low, high] = [0, Math.max(0, starts.length - 2)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= px) low = middle;
    else high = middle - 1;
  }
  return low;
};

/** The rows in the viewport, and the one that is kept wherever it is. */
export const drawnRows = (
  starts: readonly number[],
  { top, bottom }: Viewport,
  kept: number | null,
): DrawnRows => {
  const count = starts.length - 1;
  if (count < 1) return { rows: [], endGapPx: 0 };
  const [first, last] = [rowAt(starts, top), rowAt(starts, bottom)];
  const near = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const isKeptApart = kept !== null && kept < count && (kept < first || kept > last);
  const indexes = isKeptApart ? [...near, kept].sort((a, b) => a - b) : near;
  const startOf = (index: number): number => starts[index] ?? 0;
  const endBefore = (at: number): number => {
    const before = indexes[at - 1];
    return before === undefined ? 0 : startOf(before + 1);
  };
  return {
    rows: indexes.map((index, at) => ({ index, gapPx: startOf(index) - endBefore(at) })),
    endGapPx: startOf(count) - endBefore(indexes.length),
  };
};
