import { skipToken } from '@reduxjs/toolkit/query';
import { maxCompared, type ComparedStrategy } from '@tapedeck/explorer/contract';
import { useEffect, useLayoutEffect, useRef, useState, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useCommands } from '../../../ui/browser/shortcuts.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatGain, formatPercent, parseNumeric } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useComparedStrategiesQuery } from './compare.api.ts';
import { compareCleared, compareRemoved, selectCompared, storeCompared } from './compare.slice.ts';
import { Comparison, comparisonTitleId } from './comparison-table.tsx';

type ItemProps = Readonly<{
  strategy: ComparedStrategy | undefined;
  /** Shown instead of the title when there is no strategy; null while it is loading. */
  placeholder: string | null;
  onRemove: () => void;
}>;

const Item = ({ strategy, placeholder, onRemove }: ItemProps): JSX.Element => {
  const pnl = parseNumeric(strategy?.total_pandl_percent ?? null);
  const drawdown = parseNumeric(strategy?.max_drawdown_percent ?? null);
  const title = strategy?.title ?? placeholder;
  return (
    <li className="tray-item">
      {title !== null ? (
        <div>
          <b title={title}>{title}</b>
          {strategy && (
            <span className="tray-figures">
              <span className={pnl === null || pnl === 0 ? '' : pnl > 0 ? 'gain' : 'loss'}>
                {formatGain(pnl)}
              </span>{' '}
              <span className="meta">DD {formatPercent(drawdown)}</span>
            </span>
          )}
        </div>
      ) : (
        <div aria-hidden="true">
          <span className="skeleton" />
        </div>
      )}
      <button
        className="chip-x"
        type="button"
        aria-label={`Remove ${strategy?.title ?? 'this strategy'} from the comparison`}
        onClick={onRemove}
      >
        <Icon name="x" small />
      </button>
    </li>
  );
};

const slotTexts = ['add a first', 'add a second', 'add a third', 'add a fourth'];

/** The focus of a removed item goes to the next one, and after the last one to where `focusAfterLast` puts it. */
const useFocusAfterRemoval = (focusAfterLast: () => void) => {
  const list = useRef<HTMLUListElement>(null);
  const removedIndex = useRef<number | null>(null);
  const hadItems = useRef(false);
  // A passive effect of an earlier render could run between the click and the removal, and focus the item that is removed.
  useLayoutEffect(() => {
    const removeButtons = list.current?.querySelectorAll<HTMLElement>('.chip-x') ?? [];
    if (removedIndex.current !== null) {
      removeButtons[Math.min(removedIndex.current, removeButtons.length - 1)]?.focus();
    }
    removedIndex.current = null;
    const isFocusLost = document.activeElement === document.body;
    if (hadItems.current && removeButtons.length === 0 && isFocusLost) focusAfterLast();
    hadItems.current = removeButtons.length > 0;
  });
  return { list, removedIndex };
};

export type CompareTrayProps = Readonly<{ focusAfterLast: () => void }>;

/** The strategies to compare, and the button that opens the comparison. Survives a change of filters and a reload. */
export const CompareTray = ({ focusAfterLast }: CompareTrayProps): JSX.Element | null => {
  const dispatch = useDispatch();
  const ids = useSelector(selectCompared);
  const [isOpen, setOpen] = useState(false);
  const { data, currentData, error, isFetching, refetch } = useComparedStrategiesQuery(
    ids.length > 0 ? ids : skipToken,
  );
  const { list, removedIndex } = useFocusAfterRemoval(focusAfterLast);
  useEffect(() => storeCompared(ids), [ids]);
  const known = ids.map((id) => (currentData ?? data)?.strategies.find(({ url_id }) => url_id === id));
  const strategies = known.filter((strategy) => strategy !== undefined);
  const remove = (id: string): void => void dispatch(compareRemoved(id));
  useCommands([
    {
      id: 'compare',
      key: 'c',
      label: 'Compare the chosen strategies',
      perform: () => setOpen(ids.length > 1),
    },
  ]);
  if (ids.length === 0) return null;
  return (
    <aside className="tray" aria-label="Compare">
      <p className="visually-hidden" role="status">
        {ids.length} of {maxCompared} strategies to compare
      </p>
      <ul className="tray-items" ref={list}>
        {ids.map((id, index) => (
          <Item
            key={id}
            strategy={known[index]}
            placeholder={error ? 'Not loaded' : currentData ? 'No longer in the catalogue' : null}
            onRemove={() => {
              removedIndex.current = index;
              remove(id);
            }}
          />
        ))}
        {slotTexts.slice(ids.length).map((text) => (
          <li key={text} className="tray-slot" aria-hidden="true">
            {text}
          </li>
        ))}
      </ul>
      <button className="btn btn--quiet only-wide" type="button" onClick={() => dispatch(compareCleared())}>
        Clear
      </button>
      <button
        className="btn btn--primary"
        type="button"
        aria-haspopup="dialog"
        disabled={ids.length < 2}
        onClick={() => setOpen(true)}
      >
        <Icon name="chart" />
        Compare {ids.length}
      </button>
      <Dialog
        isOpen={isOpen}
        titleId={comparisonTitleId}
        className="dialog--comparison"
        onClose={() => setOpen(false)}
      >
        <Comparison
          strategies={strategies}
          isFetching={isFetching}
          error={error}
          onRetry={() => void refetch()}
          onRemove={remove}
          onClear={() => {
            setOpen(false);
            dispatch(compareCleared());
          }}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </aside>
  );
};
