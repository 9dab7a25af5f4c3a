import { binOf } from '../../ui/range-histogram/range-scale.ts';
import type { RangeCounts } from '../../ui/range-histogram/range-histogram.tsx';
import type { Bounds } from '../../ui/range-histogram/range-thumbs.ts';

/** Made up, the same on every visit, and small: it shows what the sliders do, not what the catalogue holds. */
export const exampleSize = 600;

export type ExampleField = 'sharpe' | 'drawdown';
type Row = Readonly<Record<ExampleField, number>>;
export type ExampleBounds = Readonly<Record<ExampleField, Bounds>>;

/** Additive recurrences: evenly spread and without chance, so every visit sees the same shape. */
const spread = (at: number, step: number): number => (0.5 + at * step) % 1;
const bell = (share: number): number => Math.log(share / (1 - share)) * 0.55;

const rows: readonly Row[] = Array.from({ length: exampleSize }, (_, at) => {
  const skill = bell(0.002 + 0.996 * spread(at, 0.754877666));
  const luck = bell(0.002 + 0.996 * spread(at, 0.569840291));
  return { sharpe: 0.7 + skill * 0.75 + luck * 0.35, drawdown: Math.exp(3.05 - 0.35 * skill + luck * 0.5) };
});

const evenly = (low: number, high: number, bins: number): readonly number[] =>
  Array.from({ length: bins + 1 }, (_, at) => low + ((high - low) * at) / bins);

const edges: Readonly<Record<ExampleField, readonly number[]>> = {
  sharpe: evenly(-1.8, 3.4, 20),
  drawdown: evenly(0, 80, 40),
};

const passes = (value: number, { low, high }: Bounds): boolean =>
  value >= (low ?? -Infinity) && value <= (high ?? Infinity);

const count = (field: ExampleField, kept: readonly Row[]): readonly number[] => {
  const counts = Array.from({ length: edges[field].length - 1 }, () => 0);
  for (const row of kept) {
    const bin = binOf(edges[field], row[field]);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
};

export type Example = Readonly<{ total: number; histograms: Readonly<Record<ExampleField, RangeCounts>> }>;

/** Each histogram ignores the bounds of its own field, as in the explorer. */
export const filterExample = ({ sharpe, drawdown }: ExampleBounds): Example => ({
  total: rows.filter((row) => passes(row.sharpe, sharpe) && passes(row.drawdown, drawdown)).length,
  histograms: {
    sharpe: {
      edges: edges.sharpe,
      all: count('sharpe', rows),
      counts: count(
        'sharpe',
        rows.filter((row) => passes(row.drawdown, drawdown)),
      ),
      unknown: 0,
    },
    drawdown: {
      edges: edges.drawdown,
      all: count('drawdown', rows),
      counts: count(
        'drawdown',
        rows.filter((row) => passes(row.sharpe, sharpe)),
      ),
      unknown: 0,
    },
  },
});
