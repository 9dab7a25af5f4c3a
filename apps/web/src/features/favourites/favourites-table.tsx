import type { Favourite } from '@tapedeck/favourites/contract';
import { useCallback, useLayoutEffect, useMemo, useRef, useState, type JSX, type ReactNode } from 'react';
import type { FigureColumn } from './figures.ts';
import { FavouriteRow, type RowActions } from './favourite-row.tsx';
import { Rows } from './rows.tsx';
import { extended, toggled, type Selection } from './selection.ts';
import { draftOf, rebasedDraft, type TagDraft } from './tags.ts';
import { usePendingChanges } from './use-favourites.ts';
import { useRemoval } from './use-removal.ts';
import { useRowFocus } from './use-row-focus.ts';

const removal = {
  title: 'Success',
  text: 'Strategy removed from favorites',
  failed: 'Failed to remove favorite',
} as const;

export type FavouritesTableProps = Readonly<{
  /** Those to show, in their order. */
  favourites: readonly Favourite[];
  columns: readonly FigureColumn[];
  chartImageOrigin: string;
  /** Heading that names the table, and takes the focus when the last row is gone. */
  headingId: string;
  /** The cells over the columns. */
  head: ReactNode;
  /** With these, rows can be selected. */
  selection?: Selection;
  onSelection?: (change: (selection: Selection) => Selection) => void;
}>;

type Drafts = ReadonlyMap<string, TagDraft>;

/** The value of the last render, for functions that stay the same. */
const useLatest = <T,>(value: T): Readonly<{ current: T }> => {
  const latest = useRef(value);
  useLayoutEffect(() => {
    latest.current = value;
  });
  return latest;
};

export const FavouritesTable = (props: FavouritesTableProps): JSX.Element => {
  const { favourites, columns, chartImageOrigin, headingId, head, selection, onSelection } = props;
  const pending = usePendingChanges();
  const [drafts, setDrafts] = useState<Drafts>(new Map());
  const ids = useMemo(() => favourites.map(({ urlId }) => urlId), [favourites]);
  const shown = useLatest({ ids, onSelection });
  const container = useRef<HTMLDivElement>(null);
  const reveal = useRef<((index: number) => void) | null>(null);
  const revealRow = useCallback(
    (urlId: string): boolean => {
      const index = shown.current.ids.indexOf(urlId);
      if (index >= 0) reveal.current?.(index);
      return index >= 0;
    },
    [shown],
  );
  const { focus, onDrawn } = useRowFocus({ container, headingId, reveal: revealRow });
  const remove = useRemoval(
    removal,
    useCallback((urlId: string) => focus({ urlId, control: 'remove' }), [focus]),
  );

  const actions = useMemo((): RowActions => {
    const setDraft = (urlId: string, draft: TagDraft | null): void =>
      setDrafts((current) => {
        const next = new Map(current);
        if (draft) next.set(urlId, draft);
        else next.delete(urlId);
        return next;
      });
    return {
      onDraft: (urlId, draft) => {
        setDraft(urlId, draft);
        if (!draft) focus({ urlId, control: 'edit' });
      },
      onEdit: (favourite) => setDraft(favourite.urlId, draftOf(favourite)),
      onRemove: (favourite) => {
        const { ids } = shown.current;
        const at = ids.indexOf(favourite.urlId);
        focus({ urlId: ids[at + 1] ?? ids[at - 1] ?? null, control: 'remove' });
        setDraft(favourite.urlId, null);
        void remove(favourite);
      },
      onSelect: (urlId, isRange) =>
        shown.current.onSelection?.((current) => toggled(current, urlId, shown.current.ids, isRange)),
      onStep: (urlId, step, isExtending) => {
        const { ids, onSelection } = shown.current;
        const next = ids[ids.indexOf(urlId) + step];
        if (next === undefined) return;
        if (isExtending) onSelection?.((current) => extended(current, urlId, next));
        focus({ urlId: next, control: 'select' });
      },
    };
  }, [focus, remove, shown]);

  const keyOf = useCallback((index: number) => ids[index] ?? '', [ids]);
  const renderRow = (index: number): ReactNode => {
    const favourite = favourites[index];
    if (!favourite) return null;
    const draft = drafts.get(favourite.urlId);
    return (
      <FavouriteRow
        {...actions}
        favourite={favourite}
        columns={columns}
        chartImageOrigin={chartImageOrigin}
        draft={draft && rebasedDraft(draft, favourite)}
        isSelected={selection?.ids.has(favourite.urlId)}
        rowIndex={index + 2}
        isBusy={pending.get(favourite.urlId)?.isDone === false}
      />
    );
  };

  return (
    <div
      role="table"
      className={`fav-table ${selection ? 'fav-table--select' : ''}`}
      aria-labelledby={headingId}
      aria-rowcount={favourites.length + 1}
    >
      <div role="rowgroup">{head}</div>
      <Rows
        count={ids.length}
        keyOf={keyOf}
        renderRow={renderRow}
        container={container}
        reveal={reveal}
        onDrawn={onDrawn}
      />
    </div>
  );
};
