import { useMemo, type JSX } from 'react';
import { BoundFields } from './bound-fields.tsx';
import { formatWhole } from './format.ts';
import { HistogramPlot } from './histogram-plot.tsx';
import { Icon } from './icon.tsx';
import type { RangeScale } from './range-scale.ts';
import { isOpen, openBounds, type Bounds, type Thumb } from './range-thumbs.ts';
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
  scaleName: ScaleName;
  bounds: Bounds;
  /** How many are found with these bounds; null while that is not known. */
  total: number | null;
  onBounds: (bounds: Bounds) => void;
  /** Absent where there is but one scale. */
  onScale?: (scale: ScaleName) => void;
}>;

const beforeTheFirstAnswer: readonly number[] = [0, 1];

const boundWords = (value: number | null, thumb: Thumb, unit: string): string =>
  value === null
    ? thumb === 0
      ? 'no minimum'
      : 'no maximum'
    : `${value.toLocaleString('en-US', { maximumFractionDigits: 10 })}${unit && ` ${unit}`}`;

const useScale = ({ histogram, scaleName, digits, step }: RangeHistogramProps): RangeScale => {
  const edges = histogram && histogram.edges.length > 1 ? histogram.edges : beforeTheFirstAnswer;
  return useMemo(
    () => ({ edges, bend: scaleName !== 'linear', digits, step }),
    [edges, scaleName, digits, step],
  );
};

const Head = ({ label, unit, bounds, scaleName, onBounds, onScale }: RangeHistogramProps): JSX.Element => (
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
          onBounds(openBounds);
        }}
      >
        <Icon name="x" small />
      </button>
    )}
    {onScale && <ScaleSelect label={`Scale of ${label}`} value={scaleName} onChoose={onScale} />}
  </div>
);

/** A slider with two thumbs under the distribution of what it filters, and the same two bounds to type. */
export const RangeHistogram = (props: RangeHistogramProps): JSX.Element => {
  const { label, unit, brief, colour, histogram, bounds, total, onBounds } = props;
  const scale = useScale(props);
  const thumbs = useRangeThumbs({
    scale,
    bounds,
    onCommit: onBounds,
    describe: (thumb, { low, high }, held) => {
      const found = held || total === null ? '' : `, ${formatWhole(total)} strategies`;
      return boundWords(thumb === 0 ? low : high, thumb, unit) + found;
    },
  });
  return (
    <div className="histogram" style={{ '--m': colour }}>
      <Head {...props} />
      <HistogramPlot label={label} scale={scale} histogram={histogram} thumbs={thumbs} />
      <BoundFields
        label={label}
        bounds={thumbs.shown}
        hint={histogram && histogram.unknown > 0 ? `${formatWhole(histogram.unknown)} without ${brief}` : ''}
        onBounds={onBounds}
      />
    </div>
  );
};
