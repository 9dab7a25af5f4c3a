import type { SavedSearch } from '@tapedeck/saved-searches/contract';
import { useEffect, useRef, useState, type JSX } from 'react';
import { useSelector } from 'react-redux';
import {
  useDeleteSearchMutation,
  useSaveSearchMutation,
  useSeeSearchMutation,
} from './saved-searches.api.ts';
import { savedAs } from './saved-searches.ts';
import { SavedSearchRow } from './saved-search-row.tsx';
import { selectExplorer } from '../explorer/filter-state/use-filters.ts';

type Gone = Readonly<{ search: SavedSearch; problem: string | null }>;

type Deletion = Readonly<{
  gone: Gone | null;
  isRestoring: boolean;
  remove: (search: SavedSearch) => Promise<void>;
  restore: () => Promise<void>;
}>;

const useDeletion = (): Deletion => {
  const [deleteSearch] = useDeleteSearchMutation();
  const [save, { isLoading }] = useSaveSearchMutation();
  const [gone, setGone] = useState<Gone | null>(null);
  return {
    gone,
    isRestoring: isLoading,
    remove: async (search) => {
      setGone({ search, problem: null });
      const { error } = await deleteSearch(search.id);
      if (error)
        setGone({ search, problem: `“${search.name}” could not be deleted. Try again in a moment.` });
    },
    restore: async () => {
      if (gone === null || isLoading) return;
      const { name, query } = gone.search;
      const { error } = await save({ name, query });
      setGone(error ? { ...gone, problem: `“${name}” could not be brought back: save it anew.` } : null);
    },
  };
};

type UndoProps = Readonly<{ gone: Gone; isRestoring: boolean; onRestore: () => void }>;

/** Takes the place of the row that has just gone, and its focus. */
const Undo = ({ gone, isRestoring, onRestore }: UndoProps): JSX.Element => {
  const button = useRef<HTMLButtonElement>(null);
  const { search, problem } = gone;
  useEffect(() => button.current?.focus(), []);
  return (
    <p className="saved-search-undo" role="status">
      {problem ?? `“${search.name}” is deleted.`}
      {problem === null && (
        <button ref={button} className="linkish" type="button" aria-busy={isRestoring} onClick={onRestore}>
          Undo
        </button>
      )}
    </p>
  );
};

export type SavedSearchListProps = Readonly<{ searches: readonly SavedSearch[]; onApplied: () => void }>;

export const SavedSearchList = ({ searches, onApplied }: SavedSearchListProps): JSX.Element => {
  const { filters } = useSelector(selectExplorer);
  const { gone, isRestoring, remove, restore } = useDeletion();
  const [see] = useSeeSearchMutation();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = savedAs(searches, filters);
  const isUncounted = searches.some(({ newMatches }) => newMatches === null);
  return (
    <section className="saved-search-list" aria-labelledby="saved-searches-list">
      <h3 id="saved-searches-list" ref={heading} tabIndex={-1}>
        Saved so far
      </h3>
      {gone && (
        <Undo
          key={gone.search.id}
          gone={gone}
          isRestoring={isRestoring}
          onRestore={() => {
            heading.current?.focus();
            void restore();
          }}
        />
      )}
      {searches.length === 0 && !gone && (
        <p className="hint">
          Nothing yet. A saved search counts the strategies that come in after you last looked.
        </p>
      )}
      <ul>
        {searches.map((search) => (
          <SavedSearchRow
            key={search.id}
            search={search}
            isShown={search.id === shown?.id}
            onApply={() => {
              void see(search.id);
              onApplied();
            }}
            onDelete={() => void remove(search)}
          />
        ))}
      </ul>
      {isUncounted && <p className="hint">New matches cannot be counted at the moment.</p>}
    </section>
  );
};
