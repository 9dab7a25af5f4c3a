import {
  memo,
  useEffect,
  useMemo,
  useRef,
  useSyncExternalStore,
  type JSX,
  type ReactNode,
  type RefObject,
} from 'react';
import { shorten } from '../format.ts';
import { barsPath } from './bars.ts';
import type { RangeBrush } from './range-brush.ts';
import { ticks, type RangeScale } from './range-scale.ts';

export type RangeCounts = Readonly<{
  /** One more than there are bins; the first and the last bin are open-ended. */
  edges: readonly number[];
  /** With the other filters. */
  counts: readonly number[];
  /** Without any filter. */
  all: readonly number[];
  /** Rows without a value, with the other filters. */
  unknown: number;
}>;

/** The plot's width in the panel, in pixels; at a multiple of it the edges of all bars fall on pixels. */
const plotWidth = 280;
/** A pointer that rests on a slider for this long will probably move it. */
const hoverIntentMs = 90;
const noCounts: readonly number[] = [];

type BarsProps = Readonly<{
  histogram: RangeCounts | undefined;
  brush: RangeBrush;
  /** Positions of the thumbs, from 0 to 1. */
  low: number;
  high: number;
}>;

const Bars = memo(({ histogram, brush, low, high }: BarsProps): JSX.Element => {
  const live = useSyncExternalStore(brush.subscribe, brush.counts);
  const all = histogram?.all ?? noCounts;
  const bins = Math.max(1, all.length);
  const gap = bins / plotWidth;
  const maxCount = useMemo(() => Math.max(0, ...all), [all]);
  const allPath = useMemo(() => barsPath(all, maxCount), [all, maxCount]);
  const filteredPath = barsPath(live?.counts ?? histogram?.counts ?? noCounts, maxCount);
  const box = {
    viewBox: `${gap / 2} 0 ${bins} 100`,
    preserveAspectRatio: 'none',
    strokeWidth: 1 - gap,
    'aria-hidden': true,
    'data-moving': live !== null || undefined,
  };
  return (
    <>
      <svg className="bars all" {...box}>
        <path d={allPath} />
      </svg>
      {/* Hidden behind the coloured bars unless a thumb cuts them: then a frame of a drag draws one path less. */}
      <svg className="bars out" {...box}>
        {(low > 0 || high < 1) && <path d={filteredPath} />}
      </svg>
      {/* The thumbs' positions are set where they are used: on a common parent they would restyle all its children. */}
      <svg className="bars in" {...box} style={{ '--low': low, '--high': high }}>
        <path d={filteredPath} />
      </svg>
      <span className="plot-span" style={{ '--low': low, '--high': high }} />
    </>
  );
});

const tickLabel = (value: number): string =>
  shorten(
    value,
    Number.isInteger(value) || Math.abs(value) >= 10 ? 0 : Math.abs(value) < 0.1 ? 2 : 1,
  ).replace('.0', '');

const Axis = memo(({ scale }: Readonly<{ scale: RangeScale }>): JSX.Element => (
  <div className="axis" aria-hidden="true">
    {ticks(scale).map(({ value, position }) => (
      <span key={value} style={{ '--position': position }}>
        {tickLabel(value)}
      </span>
    ))}
  </div>
));

type HoverHandlers = Readonly<{ onPointerEnter: () => void; onPointerLeave: () => void }>;

const useHoverIntent = (onIntent: () => void): HoverHandlers => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerEnter: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(onIntent, hoverIntentMs);
    },
    onPointerLeave: () => clearTimeout(timer.current),
  };
};

export type HistogramPlotProps = Readonly<
  BarsProps & {
    label: string;
    scale: RangeScale;
    trackRef: RefObject<HTMLDivElement | null>;
    isHeld: boolean;
    /** The thumbs. */
    children: ReactNode;
  }
>;

/** Grey behind: all rows; in front: rows that the other filters leave; coloured: of these, rows between the thumbs. */
export const HistogramPlot = (props: HistogramPlotProps): JSX.Element => {
  const { label, scale, trackRef, isHeld, children, histogram, brush, low, high } = props;
  return (
    <div
      {...useHoverIntent(brush.onReady)}
      ref={trackRef}
      className="plot"
      role="group"
      aria-label={label}
      data-held={isHeld || undefined}
    >
      <div className="plot-bars">
        <Bars histogram={histogram} brush={brush} low={low} high={high} />
      </div>
      {histogram ? <Axis scale={scale} /> : <div className="axis" />}
      {children}
    </div>
  );
};
