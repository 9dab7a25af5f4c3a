import { useId, useState, type JSX } from 'react';
import { formatWhole } from '../../ui/format.ts';
import { withTagToggled, type FavouritesOrder, type ChangeOrder } from './order.ts';
import type { TagTotal } from './tags.ts';

export type TagFilterProps = Readonly<{
  totals: readonly TagTotal[];
  state: FavouritesOrder;
  /** How many favourites have one of the pressed tags. */
  counts: Readonly<{ shown: number; total: number }>;
  /** More than these are shown on request. */
  maxShown: number;
  onChange: ChangeOrder;
}>;

/** Shows favourites that have any of the pressed tags. */
export const TagFilter = (props: TagFilterProps): JSX.Element => {
  const { totals, state, counts, maxShown, onChange } = props;
  const labelId = useId();
  const [isOpen, setOpen] = useState(false);
  if (totals.length === 0) {
    return (
      <div className="fav-filter">
        <span className="meta">No tags yet: add some with the tag button of a favorite.</span>
      </div>
    );
  }
  const shown = totals.filter(({ tag }, index) => isOpen || index < maxShown || state.tags.includes(tag));
  const hidden = totals.length - shown.length;
  return (
    <div className="fav-filter">
      <span className="meta" id={labelId}>
        By tag
      </span>
      <div className="chips" role="group" aria-labelledby={labelId}>
        {shown.map(({ tag, total }) => (
          <button
            key={tag}
            className="chip"
            type="button"
            aria-pressed={state.tags.includes(tag)}
            onClick={() => onChange((order) => withTagToggled(order, tag))}
          >
            <span className="chip-text">{tag}</span> <span className="n">{total}</span>
          </button>
        ))}
        {(hidden > 0 || isOpen) && (
          <button className="chip" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Fewer tags' : `${hidden} more`}
          </button>
        )}
        {state.tags.length > 0 && (
          <button
            className="linkish"
            type="button"
            onClick={() => onChange((order) => ({ ...order, tags: [] }))}
          >
            Show all
          </button>
        )}
        <span className="meta" role="status">
          {state.tags.length > 0 && `${formatWhole(counts.shown)} of ${formatWhole(counts.total)}`}
        </span>
      </div>
    </div>
  );
};
