import { memo, useEffect, useMemo, useRef, useSyncExternalStore, type JSX } from 'react';
import { barsPath } from './bars.ts';
import { shorten } from '../format.ts';
import type { RangeBrush } from './range-brush.ts';
import type { RangeCounts } from './range-histogram.tsx';
import { ticks, type RangeScale } from './range-scale.ts';
import { percentOf } from './range-thumbs.ts';
import { SliderThumb } from './slider-thumb.tsx';
import type { RangeThumbs } from './use-range-thumbs.ts';

/** Width the plot has in the panel; at a multiple of it every bar's edge falls on a pixel. */
const plotWidth = 280;
/** How long a pointer rests on a slider before it is taken to be about to move it, in milliseconds. */
const dwell = 90;
const none: readonly number[] = [];

type BarsProps = Readonly<{
  histogram: RangeCounts | undefined;
  brush: RangeBrush;
  /** Where the thumbs stand, as shares of the width. */
  low: number;
  high: number;
}>;

const Bars = memo(({ histogram, brush, low, high }: BarsProps): JSX.Element => {
  const moving = useSyncExternalStore(brush.subscribe, brush.counts);
  const all = histogram?.all ?? none;
  const bins = Math.max(1, all.length);
  const gap = bins / plotWidth;
  const most = useMemo(() => Math.max(0, ...all), [all]);
  const behind = useMemo(() => barsPath(all, most), [all, most]);
  const front = barsPath(moving?.counts ?? histogram?.counts ?? none, most);
  const box = {
    viewBox: `${gap / 2} 0 ${bins} 100`,
    preserveAspectRatio: 'none',
    strokeWidth: 1 - gap,
    'aria-hidden': true,
    'data-moving': moving !== null || undefined,
  };
  return (
    <>
      <svg className="bars all" {...box}>
        <path d={behind} />
      </svg>
      {/* Where nothing is cut off, nothing is seen of it, and a frame is spared one path more for each slider. */}
      <svg className="bars out" {...box}>
        {(low > 0 || high < 1) && <path d={front} />}
      </svg>
      {/* The thumbs' places stand on what they cut and on nothing that has children to style anew. */}
      <svg className="bars in" {...box} style={{ '--lo': low, '--hi': high }}>
        <path d={front} />
      </svg>
      <span className="plot-span" style={{ '--lo': low, '--hi': high }} />
    </>
  );
});

const tickWords = (value: number): string =>
  shorten(
    value,
    Number.isInteger(value) || Math.abs(value) >= 10 ? 0 : Math.abs(value) < 0.1 ? 2 : 1,
  ).replace('.0', '');

const Axis = memo(({ scale }: Readonly<{ scale: RangeScale }>): JSX.Element => (
  <div className="axis" aria-hidden="true">
    {ticks(scale).map(({ value, at }) => (
      <span key={value} style={{ '--at': at }}>
        {tickWords(value)}
      </span>
    ))}
  </div>
));

type Rest = Readonly<{ onPointerEnter: () => void; onPointerLeave: () => void }>;

const useRest = (onRest: () => void): Rest => {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    onPointerEnter: () => {
      clearTimeout(timer.current);
      timer.current = setTimeout(onRest, dwell);
    },
    onPointerLeave: () => clearTimeout(timer.current),
  };
};

export type HistogramPlotProps = Readonly<{
  label: string;
  unit: string;
  scale: RangeScale;
  histogram: RangeCounts | undefined;
  thumbs: RangeThumbs;
  brush: RangeBrush;
  total: number | null;
}>;

/** Grey behind is everything, in front is what the other filters leave, coloured is what lies inside the thumbs. */
export const HistogramPlot = (props: HistogramPlotProps): JSX.Element => {
  const { label, scale, histogram, thumbs, brush } = props;
  const { shown, held, track } = thumbs;
  const rest = useRest(brush.onReady);
  return (
    <div
      {...rest}
      ref={track}
      className="plot"
      role="group"
      aria-label={label}
      data-held={held !== null || undefined}
    >
      <div className="plot-bars">
        <Bars
          histogram={histogram}
          brush={brush}
          low={percentOf(scale, shown, 0)}
          high={percentOf(scale, shown, 1)}
        />
      </div>
      {histogram ? <Axis scale={scale} /> : <div className="axis" />}
      <SliderThumb {...props} thumb={0} />
      <SliderThumb {...props} thumb={1} />
    </div>
  );
};
