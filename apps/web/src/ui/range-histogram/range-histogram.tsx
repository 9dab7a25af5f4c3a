import { useMemo, useSyncExternalStore, type JSX } from 'react';
import { BoundFields } from './bound-fields.tsx';
import { formatWhole } from '../format.ts';
import { HistogramPlot } from './histogram-plot.tsx';
import { Icon } from '../icon.tsx';
import { noBrush, type RangeBrush } from './range-brush.ts';
import type { RangeScale } from './range-scale.ts';
import { isOpen, openBounds, type Bounds } from './range-thumbs.ts';
import { ScaleSelect, type ScaleName } from './scale-select.tsx';
import { useRangeThumbs } from './use-range-thumbs.ts';

export type RangeCounts = Readonly<{
  /** One more than there are bins; the first and the last bin are open-ended. */
  edges: readonly number[];
  /** With the other filters. */
  counts: readonly number[];
  /** With none. */
  all: readonly number[];
  /** Without a value, with the other filters. */
  unknown: number;
}>;

export type RangeHistogramProps = Readonly<{
  label: string;
  unit: '' | '%';
  brief: string;
  colour: string;
  step: number;
  digits: number;
  /** Absent until the first answer. */
  histogram: RangeCounts | undefined;
  /** Of the histogram. */
  scaleName: ScaleName;
  bounds: Bounds;
  /** How many are found with these bounds; null while that is not known. */
  total: number | null;
  onBounds: (bounds: Bounds, by: 'drag' | 'key' | 'typing') => void;
  /** The bounds that are meant where those at the end of the scale mean more than they say. */
  tidy?: (bounds: Bounds) => Bounds;
  /** Absent where nothing moves with the thumbs. */
  brush?: RangeBrush;
  /** Absent where there is but one scale; `chosen` is the one whose histogram is there or on its way. */
  scales?: Readonly<{ chosen: ScaleName; onChoose: (scale: ScaleName) => void }>;
}>;

const beforeTheFirstAnswer: readonly number[] = [0, 1];

const useScale = ({ histogram, scaleName, digits, step }: RangeHistogramProps): RangeScale => {
  const edges = histogram && histogram.edges.length > 1 ? histogram.edges : beforeTheFirstAnswer;
  return useMemo(
    () => ({ edges, bend: scaleName !== 'linear', digits, step }),
    [edges, scaleName, digits, step],
  );
};

const Head = ({ label, unit, bounds, scales, onBounds }: RangeHistogramProps): JSX.Element => (
  <div className="histogram-head">
    <span className="histogram-name" aria-hidden="true">
      {label} {unit && <small>{unit}</small>}
    </span>
    {!isOpen(bounds) && (
      <button
        className="histogram-clear"
        type="button"
        aria-label={`Clear ${label}`}
        title="Clear"
        onClick={({ currentTarget }) => {
          // The button leaves with the bounds; its focus must not be lost with it.
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

type UnknownHintProps = Readonly<{ brief: string; histogram: RangeCounts | undefined; brush: RangeBrush }>;

const UnknownHint = ({ brief, histogram, brush }: UnknownHintProps): JSX.Element | null => {
  const moving = useSyncExternalStore(brush.subscribe, brush.counts);
  const unknown = moving?.unknown ?? histogram?.unknown ?? 0;
  return unknown > 0 ? <>{`${formatWhole(unknown)} without ${brief}`}</> : null;
};

const asTheyAre = (bounds: Bounds): Bounds => bounds;

/** A slider with two thumbs under the distribution of what it filters, and the same two bounds to type. */
export const RangeHistogram = (props: RangeHistogramProps): JSX.Element => {
  const { colour, bounds, brush = noBrush, tidy = asTheyAre, onBounds } = props;
  const scale = useScale(props);
  const thumbs = useRangeThumbs({ scale, bounds, brush, tidy, onCommit: onBounds });
  const { label, unit, brief, histogram, total } = props;
  return (
    <div className="histogram" style={{ '--m': colour }}>
      <Head {...props} />
      <HistogramPlot {...{ label, unit, scale, histogram, thumbs, brush, total }} />
      <BoundFields
        label={label}
        bounds={thumbs.shown}
        hint={<UnknownHint brief={brief} histogram={histogram} brush={brush} />}
        onBounds={(typed) => onBounds(typed, 'typing')}
      />
    </div>
  );
};
