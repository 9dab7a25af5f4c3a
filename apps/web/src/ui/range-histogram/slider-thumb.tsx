import { useSyncExternalStore, type JSX } from 'react';
import { formatWhole } from '../format.ts';
import type { RangeBrush } from './range-brush.ts';
import { highest, lowest, type RangeScale } from './range-scale.ts';
import { percentOf, valuesOf, type Bounds, type Thumb } from './range-thumbs.ts';
import type { RangeThumbs } from './use-range-thumbs.ts';

export type SliderThumbProps = Readonly<{
  thumb: Thumb;
  label: string;
  unit: string;
  scale: RangeScale;
  thumbs: RangeThumbs;
  brush: RangeBrush;
  /** How many are found with the committed bounds; null while that is not known. */
  total: number | null;
}>;

const written = new Intl.NumberFormat('en-US', { maximumFractionDigits: 10 });

const boundWords = (value: number | null, thumb: Thumb, unit: string): string =>
  value === null
    ? thumb === 0
      ? 'no minimum'
      : 'no maximum'
    : `${written.format(value)}${unit && ` ${unit}`}`;

const boundOf = ({ low, high }: Bounds, thumb: Thumb): number | null => (thumb === 0 ? low : high);

/** The tab with its line. The input inside it is what the keyboard and a screen reader meet. */
export const SliderThumb = (props: SliderThumbProps): JSX.Element => {
  const { thumb, label, unit, scale, thumbs, brush, total } = props;
  const { committed, shown, held } = thumbs;
  const moving = useSyncExternalStore(brush.subscribe, brush.total);
  const found = moving ?? (held === null ? total : null);
  const bound = boundOf(shown, thumb);
  // The input follows when a drag is over: its value is costly to set, and its words are what is read out.
  const values = valuesOf(scale, committed);
  // Where both stand in one place, the one that has room to go lies on top.
  const isOnTop = percentOf(scale, shown, 0) > 0.5 === (thumb === 0);
  return (
    <div
      className={`thumb ${held === thumb ? 'is-held' : ''}`}
      data-thumb={thumb}
      data-open={bound === null || undefined}
      style={{ '--at': percentOf(scale, shown, thumb), zIndex: isOnTop ? 2 : 1 }}
    >
      {/* Any step: a typed bound need not lie on one, and the browser would round it. */}
      <input
        ref={thumbs.inputs[thumb]}
        className="thumb-input"
        type="range"
        step="any"
        min={thumb === 0 ? Math.min(lowest(scale), values[0]) : values[0]}
        max={thumb === 0 ? values[1] : Math.max(highest(scale), values[1])}
        value={values[thumb]}
        aria-label={`${label} ${thumb === 0 ? 'minimum' : 'maximum'}`}
        aria-valuetext={
          boundWords(bound, thumb, unit) + (found === null ? '' : `, ${formatWhole(found)} strategies`)
        }
        onFocus={brush.onReady}
        onChange={({ target }) => thumbs.setValue(thumb, Number(target.value))}
        onKeyDown={(event) => {
          if (!event.altKey && !event.ctrlKey && !event.metaKey && thumbs.pressKey(thumb, event)) {
            event.preventDefault();
          }
        }}
      />
    </div>
  );
};
