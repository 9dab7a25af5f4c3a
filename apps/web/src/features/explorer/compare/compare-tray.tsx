import { skipToken } from '@reduxjs/toolkit/query';
import { maxCompared, type ComparedStrategy } from '@tapedeck/explorer/contract';
import { useEffect, useRef, useState, type JSX } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatGain, formatPercent, parseNumeric } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { useShortcuts } from '../../../ui/browser/shortcuts.ts';
import { useComparedQuery } from './compare.api.ts';
import { storeCompared } from './compare-storage.ts';
import { compareCleared, compareRemoved, selectCompared } from './compare.slice.ts';
import { Comparison, comparisonTitleId } from './comparison-table.tsx';
import { focusResults } from '../results/results-title.ts';

type ItemProps = Readonly<{
  strategy: ComparedStrategy | undefined;
  /** Why there is no strategy to show; null while it may yet come. */
  absence: string | null;
  onRemove: () => void;
}>;

const Item = ({ strategy, absence, onRemove }: ItemProps): JSX.Element => {
  const pnl = parseNumeric(strategy?.total_pandl_percent ?? null);
  const drawdown = parseNumeric(strategy?.max_drawdown_percent ?? null);
  const title = strategy?.title ?? absence;
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
        aria-label={`Take ${strategy?.title ?? 'this strategy'} out of the comparison`}
        onClick={onRemove}
      >
        <Icon name="x" small />
      </button>
    </li>
  );
};

const slotWords = ['add a first', 'add a second', 'add a third', 'add a fourth'];

/** Focus that goes with a cross moves to the next one; when all are gone, to the title of the results. */
const useFocusAfterRemoval = () => {
  const list = useRef<HTMLUListElement>(null);
  const removedAt = useRef<number | null>(null);
  const hadAny = useRef(false);
  useEffect(() => {
    const crosses = list.current?.querySelectorAll<HTMLElement>('.chip-x') ?? [];
    if (removedAt.current !== null) crosses[Math.min(removedAt.current, crosses.length - 1)]?.focus();
    removedAt.current = null;
    const isNowhere = document.activeElement === document.body;
    if (hadAny.current && crosses.length === 0 && isNowhere) focusResults();
    hadAny.current = crosses.length > 0;
  });
  return { list, removedAt };
};

/** What stands side by side, and the way to the table. It stays over a change of filters and a reload. */
export const CompareTray = (): JSX.Element | null => {
  const dispatch = useDispatch();
  const ids = useSelector(selectCompared);
  const [isOpen, setOpen] = useState(false);
  const { data, currentData, isError, isFetching, refetch } = useComparedQuery(
    ids.length > 0 ? ids : skipToken,
  );
  const { list, removedAt } = useFocusAfterRemoval();
  useEffect(() => storeCompared(ids), [ids]);
  const known = ids.map((id) => (currentData ?? data)?.strategies.find(({ url_id }) => url_id === id));
  const strategies = known.filter((strategy) => strategy !== undefined);
  const remove = (id: string): void => void dispatch(compareRemoved(id));
  useShortcuts([
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
        {ids.map((id, at) => (
          <Item
            key={id}
            strategy={known[at]}
            absence={isError ? 'Not loaded' : currentData ? 'No longer in the catalogue' : null}
            onRemove={() => {
              removedAt.current = at;
              remove(id);
            }}
          />
        ))}
        {slotWords.slice(ids.length).map((words) => (
          <li key={words} className="tray-slot" aria-hidden="true">
            {words}
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
          isFailed={isError}
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
