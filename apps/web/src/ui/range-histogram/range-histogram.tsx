import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type JSX,
  type RefObject,
} from 'react';
import { flushSync } from 'react-dom';
import { formatExact, formatWhole } from '../format.ts';
import { Icon } from '../icon.tsx';
import { BoundFields } from './bound-fields.tsx';
import { HistogramPlot, type RangeCounts } from './histogram-plot.tsx';
import { followPointer } from './pointer-drag.ts';
import { noBrush, type RangeBrush } from './range-brush.ts';
import { maxOfScale, minOfScale, roundValue, type RangeScale } from './range-scale.ts';
import {
  dragThumb,
  holdNearestThumb,
  holdThumb,
  openBounds,
  sameBounds,
  thumbPosition,
  thumbValues,
  withKey,
  withValue,
  type Bounds,
  type HeldThumb,
  type Thumb,
} from './range-thumbs.ts';
import { ScaleSelect, type ScaleName } from './scale-select.tsx';

export type RangeHistogramProps = Readonly<{
  label: string;
  unit: '' | '%';
  /** As in "512 without P&L". */
  shortName: string;
  colour: string;
  step: number;
  /** Decimals of a dragged value. */
  decimals: number;
  /** Absent until the first answer. */
  histogram: RangeCounts | undefined;
  /** The ends of the scale until then. */
  emptyAxis?: readonly number[];
  /** The scale of the histogram. */
  scaleName: ScaleName;
  bounds: Bounds;
  /** Number of results with these bounds; null while it is not known. */
  total: number | null;
  /** Once per drag, key press or typed value, and only for a change. */
  onBounds: (bounds: Bounds, by: 'drag' | 'key' | 'typing') => void;
  /** Replaces bounds that count as open by null. */
  normalise?: (bounds: Bounds) => Bounds;
  /** Whether the minimum is above the maximum; absent where bounds cannot be typed. */
  isReversed?: (bounds: Bounds) => boolean;
  /** Absent where nothing moves with the thumbs. */
  brush?: RangeBrush;
  /** Absent where there is only one scale; `chosen` may still be on its way. */
  scales?: Readonly<{ chosen: ScaleName; onChoose: (scale: ScaleName) => void }>;
}>;

type ThumbsOptions = Readonly<{
  scale: RangeScale;
  brush: RangeBrush;
  normalise: (bounds: Bounds) => Bounds;
}> &
  Pick<RangeHistogramProps, 'bounds' | 'onBounds'>;

type Thumbs = Readonly<{
  trackRef: RefObject<HTMLDivElement | null>;
  /** The two thumbs' inputs. */
  inputRefs: readonly [RefObject<HTMLInputElement | null>, RefObject<HTMLInputElement | null>];
  /** The bounds as they are dragged now; otherwise the committed ones. */
  shown: Bounds;
  held: Thumb | null;
  /** Returns whether the key moves a slider. */
  pressKey: (thumb: Thumb, event: Readonly<{ key: string; shiftKey: boolean }>) => boolean;
  /** For assistive technology, which sets a value without a pointer or a key. */
  setValue: (thumb: Thumb, value: number) => void;
}>;

/** Turns pointer and keys into bounds; a drag is committed when the thumb is released. */
const useThumbs = (options: ThumbsOptions): Thumbs => {
  const trackRef = useRef<HTMLDivElement>(null);
  const lowRef = useRef<HTMLInputElement>(null);
  const highRef = useRef<HTMLInputElement>(null);
  const [held, setHeld] = useState<HeldThumb | null>(null);
  // Pointer events come between renders.
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });

  useEffect(() => {
    if (!trackRef.current) return;
    let live: HeldThumb | null = null;
    const hold = (next: HeldThumb | null): void => {
      if (next && next.thumb !== live?.thumb)
        (next.thumb === 0 ? lowRef : highRef).current?.focus({ preventScroll: true });
      live = next;
      setHeld(next);
    };
    return followPointer(trackRef.current, {
      onStart: (thumb, position) => {
        const { scale, bounds, brush } = latest.current;
        brush.onReady();
        const next =
          thumb === null ? holdNearestThumb(scale, bounds, position) : holdThumb(scale, bounds, thumb);
        hold(next);
        return next.startPosition;
      },
      onMove: (position) => {
        const { scale, brush, normalise } = latest.current;
        const next = live && dragThumb(scale, live, position, brush.snapPoints());
        if (!next || next === live) return;
        const bounds = normalise(next.bounds);
        // The thumb and everything that follows it are drawn in the same frame.
        flushSync(() => {
          hold({ ...next, bounds });
          brush.onMove(bounds);
        });
      },
      onEnd: () => {
        const { bounds, brush, onBounds } = latest.current;
        if (live && !sameBounds(live.bounds, bounds)) onBounds(live.bounds, 'drag');
        hold(null);
        brush.onRelease();
      },
      onCancel: () => {
        hold(null);
        latest.current.brush.onCancel();
      },
    });
  }, []);

  const commitStep = (next: Bounds): void => {
    const { bounds, brush, normalise, onBounds } = latest.current;
    const normalised = normalise(next);
    if (sameBounds(normalised, bounds)) return;
    brush.onReady();
    brush.onMove(normalised);
    onBounds(normalised, 'key');
    brush.onRelease();
  };
  const { scale, bounds } = options;
  return {
    trackRef,
    inputRefs: [lowRef, highRef],
    shown: held?.bounds ?? bounds,
    held: held?.thumb ?? null,
    pressKey: (thumb, event) => {
      const next = withKey(scale, bounds, thumb, event);
      if (next) commitStep(next);
      return next !== null;
    },
    setValue: (thumb, value) =>
      commitStep(withValue(scale, bounds, thumb, roundValue(value, scale.decimals))),
  };
};

type ThumbProps = Pick<RangeHistogramProps, 'label' | 'unit' | 'bounds' | 'total'> &
  Readonly<{ thumb: Thumb; scale: RangeScale; thumbs: Thumbs; brush: RangeBrush }>;

const boundText = (value: number | null, thumb: Thumb, unit: string): string =>
  value === null ? `no ${thumb === 0 ? 'minimum' : 'maximum'}` : `${formatExact(value)}${unit && ` ${unit}`}`;

/** The marker with its line. The input inside it is for the keyboard and for screen readers. */
const SliderThumb = (props: ThumbProps): JSX.Element => {
  const { thumb, label, unit, scale, bounds, thumbs, brush, total } = props;
  const { shown, held, inputRefs, setValue, pressKey } = thumbs;
  const liveTotal = useSyncExternalStore(brush.subscribe, brush.total);
  const results = liveTotal ?? (held === null ? total : null);
  const bound = thumb === 0 ? shown.low : shown.high;
  const position = thumbPosition(scale, shown, thumb);
  // The input gets its value after a drag: setting it is slow, and its text is what a screen reader says.
  const values = thumbValues(scale, bounds);
  // Of two thumbs in one place the one that has room to move lies on top.
  const isOnTop = thumbPosition(scale, shown, 0) > 0.5 === (thumb === 0);
  return (
    <div
      className={`thumb ${held === thumb ? 'is-held' : ''}`}
      data-thumb={thumb}
      data-open={bound === null || undefined}
      style={{ '--position': position, zIndex: isOnTop ? 2 : 1 }}
    >
      {/* With a fixed step the browser would round a typed bound. */}
      <input
        ref={inputRefs[thumb]}
        className="thumb-input"
        type="range"
        step="any"
        min={thumb === 0 ? Math.min(minOfScale(scale), ...values) : Math.min(...values)}
        max={thumb === 0 ? Math.max(...values) : Math.max(maxOfScale(scale), ...values)}
        value={values[thumb]}
        aria-label={`${label} ${thumb === 0 ? 'minimum' : 'maximum'}`}
        aria-valuetext={
          boundText(bound, thumb, unit) +
          (results === null ? '' : `, ${formatWhole(results)} ${results === 1 ? 'strategy' : 'strategies'}`)
        }
        onFocus={brush.onReady}
        onChange={({ target }) => setValue(thumb, Number(target.value))}
        onKeyDown={(event) => {
          const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
          if (!hasModifier && pressKey(thumb, event)) event.preventDefault();
        }}
      />
    </div>
  );
};

const Head = ({ label, unit, bounds, scales, onBounds }: RangeHistogramProps): JSX.Element => (
  <div className="histogram-head">
    <span className="histogram-name" aria-hidden="true">
      {label} {unit && <small>{unit}</small>}
    </span>
    {!sameBounds(bounds, openBounds) && (
      <button
        className="histogram-clear"
        type="button"
        aria-label={`Clear ${label}`}
        title="Clear"
        onClick={({ currentTarget }) => {
          // The button disappears with the bounds; its focus must not.
          currentTarget.closest('.histogram')?.querySelector('input')?.focus();
          onBounds(openBounds, 'typing');
        }}
      >
        <Icon name="x" small />
      </button>
    )}
    {scales && <ScaleSelect label={`Scale of ${label}`} value={scales.chosen} onChoose={scales.onChoose} />}
  </div>
);

type UnknownHintProps = Pick<RangeHistogramProps, 'shortName' | 'histogram'> &
  Readonly<{ brush: RangeBrush }>;

const UnknownHint = ({ shortName, histogram, brush }: UnknownHintProps): JSX.Element | null => {
  const live = useSyncExternalStore(brush.subscribe, brush.counts);
  const unknown = live?.unknown ?? histogram?.unknown ?? 0;
  return unknown > 0 ? <>{`${formatWhole(unknown)} without ${shortName}`}</> : null;
};

const unitAxis: readonly number[] = [0, 1];
const unchanged = (bounds: Bounds): Bounds => bounds;

/** A slider with two thumbs under the histogram of the field that it filters, and fields to type the same bounds. */
export const RangeHistogram = (props: RangeHistogramProps): JSX.Element => {
  const { histogram, scaleName, decimals, step, brush = noBrush, normalise = unchanged } = props;
  const { label, unit, shortName, colour, bounds, total, onBounds, isReversed, emptyAxis = unitAxis } = props;
  const edges = histogram && histogram.edges.length > 1 ? histogram.edges : emptyAxis;
  const scale: RangeScale = useMemo(
    () => ({ edges, isSymlog: scaleName !== 'linear', decimals, step }),
    [edges, scaleName, decimals, step],
  );
  const thumbs = useThumbs({ scale, bounds, brush, normalise, onBounds });
  const { trackRef, shown, held } = thumbs;
  const [low, high] = [thumbPosition(scale, shown, 0), thumbPosition(scale, shown, 1)];
  const thumbProps = { label, unit, scale, bounds, thumbs, brush, total };
  return (
    <div className="histogram" style={{ '--m': colour }}>
      <Head {...props} />
      <HistogramPlot {...{ label, scale, histogram, brush, low, high, trackRef }} isHeld={held !== null}>
        <SliderThumb {...thumbProps} thumb={0} />
        <SliderThumb {...thumbProps} thumb={1} />
      </HistogramPlot>
      {isReversed && (
        <BoundFields
          label={label}
          bounds={shown}
          isReversed={isReversed}
          hint={<UnknownHint shortName={shortName} histogram={histogram} brush={brush} />}
          onBounds={(typed) => onBounds(typed, 'typing')}
        />
      )}
    </div>
  );
};
