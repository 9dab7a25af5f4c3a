import type { SavedSearch } from '@tapedeck/saved-searches/contract';
import { useEffect, useRef, useState, type JSX } from 'react';
import { problemOf } from '../../api/problem-text.ts';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { deleteButtonId, SavedSearchRow } from './saved-search-row.tsx';
import {
  useDeleteSearchMutation,
  useSaveSearchMutation,
  useMarkSearchSeenMutation,
} from './saved-searches.api.ts';
import { findSaved, type DescribeSearch } from './saved-searches.ts';

type Deleted = Readonly<{ search: SavedSearch; problem: Problem | null }>;

type Deletion = Readonly<{
  deleted: Deleted | null;
  isRestoring: boolean;
  remove: (search: SavedSearch) => Promise<void>;
  restore: () => Promise<void>;
}>;

const useDeletion = (): Deletion => {
  const [deleteSearch] = useDeleteSearchMutation();
  const [save] = useSaveSearchMutation();
  const [deleted, setDeleted] = useState<Deleted | null>(null);
  const [isRestoring, setRestoring] = useState(false);
  /** Whether the newest deletion has succeeded. */
  const deletion = useRef(Promise.resolve(true));
  return {
    deleted,
    isRestoring,
    remove: async (search) => {
      setDeleted({ search, problem: null });
      const answer = deleteSearch(search.id);
      deletion.current = answer.then(({ error }) => !error);
      const { error } = await answer;
      const failed = `“${search.name}” could not be deleted. Try again in a moment.`;
      if (error) setDeleted({ search, problem: problemOf(error, failed) });
    },
    restore: async () => {
      if (deleted === null || isRestoring) return;
      const { name, query } = deleted.search;
      setRestoring(true);
      // Before it is deleted, its name is taken.
      if (await deletion.current) {
        const { error } = await save({ name, query });
        const failed = `“${name}” could not be restored. Save it again.`;
        setDeleted(error ? { ...deleted, problem: problemOf(error, failed) } : null);
      }
      setRestoring(false);
    },
  };
};

type UndoProps = Readonly<{
  deleted: Deleted;
  /** Whether the row is there again: the error may be known a moment before. */
  isListed: boolean;
  isRestoring: boolean;
  onRestore: () => void;
}>;

/** Replaces the deleted row and takes its focus. */
const Undo = ({ deleted, isListed, isRestoring, onRestore }: UndoProps): JSX.Element => {
  const button = useRef<HTMLButtonElement>(null);
  const { search, problem } = deleted;
  useEffect(() => button.current?.focus(), []);
  useEffect(() => {
    if (problem && isListed) document.getElementById(deleteButtonId(search.id))?.focus();
  }, [problem, isListed, search.id]);
  if (problem) return <InlineError problem={problem} />;
  return (
    <p className="saved-search-undo" role="status">
      “{search.name}” was deleted.
      <button ref={button} className="linkish" type="button" aria-busy={isRestoring} onClick={onRestore}>
        Undo
      </button>
    </p>
  );
};

export type SavedSearchListProps = Readonly<{
  searches: readonly SavedSearch[];
  /** Address of the search on the screen. */
  address: string;
  describe: DescribeSearch;
  onApplied: () => void;
}>;

export const SavedSearchList = (props: SavedSearchListProps): JSX.Element => {
  const { searches, address, describe, onApplied } = props;
  const { deleted, isRestoring, remove, restore } = useDeletion();
  const [markSeen] = useMarkSearchSeenMutation();
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = findSaved(searches, describe(address), describe);
  const isUncounted = searches.some(({ newMatches }) => newMatches === null);
  return (
    <section className="saved-search-list" aria-labelledby="saved-searches-list">
      <h3 id="saved-searches-list" ref={heading} tabIndex={-1}>
        Your saved searches
      </h3>
      {deleted && (
        <Undo
          key={deleted.search.id}
          deleted={deleted}
          isListed={searches.some(({ id }) => id === deleted.search.id)}
          isRestoring={isRestoring}
          onRestore={() => {
            heading.current?.focus();
            void restore();
          }}
        />
      )}
      {searches.length === 0 && !deleted && (
        <p className="hint">
          You have none yet. A saved search counts new strategies since you last opened it.
        </p>
      )}
      <ul>
        {searches.map((search) => (
          <SavedSearchRow
            key={search.id}
            search={search}
            text={describe(search.query).text}
            isShown={search.id === shown?.id}
            onApply={() => {
              void markSeen(search.id);
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
