import type { Teaser } from '@tapedeck/explorer/contract';
import type { LiveCounts, RangeBrush } from '../../../ui/range-histogram/range-brush.ts';
import { openBounds, type Bounds } from '../../../ui/range-histogram/range-thumbs.ts';
import { teaserView, type TeaserBounds, type TeaserField, type TeaserView } from './teaser-counts.ts';

type Committed = TeaserView & Readonly<{ bounds: TeaserBounds }>;

/** What the sliders show, outside of React: a frame of a drag updates only what shows a count. */
export type TeaserStore = Readonly<{
  /** With the bounds as they are moved now. */
  view: () => TeaserView;
  /** With the bounds that were released last. */
  committed: () => Committed;
  commit: (field: TeaserField, bounds: Bounds) => void;
  brushes: Readonly<Record<TeaserField, RangeBrush>>;
  subscribe: (listener: () => void) => () => void;
}>;

/** A first bound, so that the bars differ from those behind them. */
const firstBounds = ({ sharpeRatio: { edges } }: Teaser): TeaserBounds => ({
  sharpeRatio: { low: edges.find((edge) => edge >= 1) ?? null, high: null },
  maxDrawdownPercent: openBounds,
});

export const createTeaserStore = (teaser: Teaser): TeaserStore => {
  const at = (bounds: TeaserBounds): Committed => ({ bounds, ...teaserView(teaser, bounds) });
  let committed = at(firstBounds(teaser));
  let view: Committed = committed;
  let live: LiveCounts | null = null;
  let moved: TeaserField | null = null;
  const listeners = new Set<() => void>();
  const show = (next: Committed, field: TeaserField | null): void => {
    [view, moved] = [next, field];
    const other = field === 'sharpeRatio' ? 'maxDrawdownPercent' : 'sharpeRatio';
    live = field ? { counts: next.histograms[other].counts, unknown: 0 } : null;
    listeners.forEach((listener) => listener());
  };
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const brushOf = (field: TeaserField): RangeBrush => ({
    onReady: () => undefined,
    snapPoints: () => teaser[field].edges,
    onMove: (bounds) => show(at({ ...committed.bounds, [field]: bounds }), field),
    onRelease: () => show(committed, null),
    onCancel: () => show(committed, null),
    subscribe,
    counts: () => (moved && moved !== field ? live : null),
    total: () => (moved ? view.total : null),
  });
  return {
    view: () => view,
    committed: () => committed,
    commit: (field, bounds) => {
      committed = at({ ...committed.bounds, [field]: bounds });
      show(committed, null);
    },
    brushes: { sharpeRatio: brushOf('sharpeRatio'), maxDrawdownPercent: brushOf('maxDrawdownPercent') },
    subscribe,
  };
};
