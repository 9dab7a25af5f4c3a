import type { Bounds } from '@tapedeck/search-engine/contract';
import type { RangeCounts } from '../../ui/range-histogram/histogram-plot.tsx';
import { binOf } from '../../ui/range-histogram/range-scale.ts';

/** Made up and small: it shows what the sliders do, not what the catalogue contains. */
export const exampleSize = 600;

export type ExampleField = 'sharpe' | 'drawdown';
type Row = Readonly<Record<ExampleField, number>>;
export type ExampleBounds = Readonly<Record<ExampleField, Bounds>>;

/** An additive recurrence: evenly spread and not random, so that every visit shows the same shapes. */
const spread = (index: number, step: number): number => (0.5 + index * step) % 1;
const bell = (share: number): number => Math.log(share / (1 - share)) * 0.55;

const rows: readonly Row[] = Array.from({ length: exampleSize }, (_, index) => {
  const skill = bell(0.002 + 0.996 * spread(index, 0.754877666));
  const luck = bell(0.002 + 0.996 * spread(index, 0.569840291));
  return { sharpe: 0.7 + skill * 0.75 + luck * 0.35, drawdown: Math.exp(3.05 - 0.35 * skill + luck * 0.5) };
});

const evenEdges = (low: number, high: number, bins: number): readonly number[] =>
  Array.from({ length: bins + 1 }, (_, index) => low + ((high - low) * index) / bins);

const edges: Readonly<Record<ExampleField, readonly number[]>> = {
  sharpe: evenEdges(-1.8, 3.4, 20),
  drawdown: evenEdges(0, 80, 40),
};

const passes = (value: number, { low, high }: Bounds): boolean =>
  value >= (low ?? -Infinity) && value <= (high ?? Infinity);

const countBins = (field: ExampleField, rows: readonly Row[]): readonly number[] => {
  const counts = Array.from({ length: edges[field].length - 1 }, () => 0);
  for (const row of rows) {
    const bin = binOf(edges[field], row[field]);
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts;
};

export type Example = Readonly<{ total: number; histograms: Readonly<Record<ExampleField, RangeCounts>> }>;

/** As in the explorer, each histogram ignores the bounds of its own field. */
export const filterExample = ({ sharpe, drawdown }: ExampleBounds): Example => ({
  total: rows.filter((row) => passes(row.sharpe, sharpe) && passes(row.drawdown, drawdown)).length,
  histograms: {
    sharpe: {
      edges: edges.sharpe,
      all: countBins('sharpe', rows),
      counts: countBins(
        'sharpe',
        rows.filter((row) => passes(row.drawdown, drawdown)),
      ),
      unknown: 0,
    },
    drawdown: {
      edges: edges.drawdown,
      all: countBins('drawdown', rows),
      counts: countBins(
        'drawdown',
        rows.filter((row) => passes(row.sharpe, sharpe)),
      ),
      unknown: 0,
    },
  },
});
