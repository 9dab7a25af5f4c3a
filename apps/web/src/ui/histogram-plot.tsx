import { memo, useMemo, useRef, type JSX } from 'react';
import { useSlider } from 'react-aria/useSlider';
import { barsPath } from './bars.ts';
import { shorten } from './format.ts';
import type { RangeCounts } from './range-histogram.tsx';
import { ticks, type RangeScale } from './range-scale.ts';
import { SliderThumb } from './slider-thumb.tsx';
import type { RangeThumbs } from './use-range-thumbs.ts';

/** Width the plot has in the panel; at a multiple of it every bar's edge falls on a pixel. */
const plotWidth = 280;

const Bars = memo(({ counts, all }: Readonly<Pick<RangeCounts, 'counts' | 'all'>>): JSX.Element => {
  const bins = Math.max(1, all.length);
  const gap = bins / plotWidth;
  const most = Math.max(0, ...all);
  const box = {
    viewBox: `${gap / 2} 0 ${bins} 100`,
    preserveAspectRatio: 'none',
    strokeWidth: 1 - gap,
    'aria-hidden': true,
  };
  const front = barsPath(counts, most);
  return (
    <>
      <svg className="bars all" {...box}>
        <path d={barsPath(all, most)} />
      </svg>
      <svg className="bars out" {...box}>
        <path d={front} />
      </svg>
      <svg className="bars in" {...box}>
        <path d={front} />
      </svg>
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

export type HistogramPlotProps = Readonly<{
  label: string;
  scale: RangeScale;
  histogram: RangeCounts | undefined;
  thumbs: RangeThumbs;
}>;

/** Grey behind is everything, in front is what the other filters leave, coloured is what lies inside the thumbs. */
export const HistogramPlot = ({ label, scale, histogram, thumbs }: HistogramPlotProps): JSX.Element => {
  const { state, shown, held } = thumbs;
  const track = useRef<HTMLDivElement>(null);
  const { groupProps } = useSlider({ 'aria-label': label }, state, track);
  const [low, high] = [state.getThumbPercent(0), state.getThumbPercent(1)];
  const empty = useMemo(() => [], []);
  return (
    <div
      {...groupProps}
      ref={track}
      className="plot"
      data-held={held !== null || undefined}
      style={{ '--lo': low, '--hi': high }}
    >
      <div className="plot-bars">
        <Bars counts={histogram?.counts ?? empty} all={histogram?.all ?? empty} />
        <span className="plot-span" />
      </div>
      {histogram ? <Axis scale={scale} /> : <div className="axis" />}
      <SliderThumb
        index={0}
        name={`${label} minimum`}
        state={state}
        track={track}
        isOpen={shown.low === null}
        isHeld={held === 0}
        isOnTop={low > 0.5}
      />
      <SliderThumb
        index={1}
        name={`${label} maximum`}
        state={state}
        track={track}
        isOpen={shown.high === null}
        isHeld={held === 1}
        isOnTop={low <= 0.5}
      />
    </div>
  );
};
