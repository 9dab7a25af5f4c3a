import type { SavedSearch } from '@tapedeck/saved-searches/contract';
import { useEffect, useId, useRef, useState, type FormEvent, type JSX } from 'react';
import { Link } from 'react-router-dom';
import { problemOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { formatWhole } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { useRenameSearchMutation } from './saved-searches.api.ts';
import { nameMissing, refusalOf, SearchNameField } from './search-name-field.tsx';

type RenameProps = Readonly<{ search: SavedSearch; onDone: () => void }>;

const Rename = ({ search, onDone }: RenameProps): JSX.Element => {
  const [rename, { isLoading }] = useRenameSearchMutation();
  const [name, setName] = useState(search.name);
  const [problem, setProblem] = useState<Problem | null>(null);
  const id = useId();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading) return;
    if (name.trim() === '') {
      setProblem(nameMissing);
      return;
    }
    setProblem(null);
    const { error } = await rename({ id: search.id, name });
    if (error) setProblem(problemOf(error, 'The search could not be renamed. Try again.'));
    else onDone();
  };
  return (
    <form className="save-search-line" noValidate onSubmit={(event) => void submit(event)}>
      <SearchNameField
        id={id}
        label={`New name for ${search.name}`}
        value={name}
        problem={refusalOf(problem)}
        onChange={(typed) => {
          setName(typed);
          setProblem(null);
        }}
        onEscape={onDone}
      />
      <ActionButton className="btn" type="submit" isBusy={isLoading}>
        Rename
      </ActionButton>
      <button className="btn btn--quiet" type="button" onClick={onDone}>
        Cancel
      </button>
      <InlineError problem={refusalOf(problem) === null ? problem : null} />
    </form>
  );
};

const NewMatches = ({ count }: Readonly<{ count: number | null }>): JSX.Element | null =>
  count === null || count === 0 ? null : (
    <span className="badge badge--accent">
      {formatWhole(count)} new
      <span className="visually-hidden">{count === 1 ? ' match' : ' matches'}</span>
    </span>
  );

/** After a deletion that has failed the focus returns to its button. */
export const deleteButtonId = (searchId: string): string => `delete-search-${searchId}`;

export type SavedSearchRowProps = Readonly<{
  search: SavedSearch;
  /** Its filters and order in one line. */
  text: string;
  isShown: boolean;
  onApply: () => void;
  onDelete: () => void;
}>;

export const SavedSearchRow = (props: SavedSearchRowProps): JSX.Element => {
  const { search, text, isShown, onApply, onDelete } = props;
  const [isRenaming, setRenaming] = useState(false);
  const renameButton = useRef<HTMLButtonElement>(null);
  const wasRenaming = useRef(false);
  useEffect(() => {
    if (wasRenaming.current && !isRenaming) renameButton.current?.focus();
    wasRenaming.current = isRenaming;
  }, [isRenaming]);
  if (isRenaming) {
    return (
      <li className="saved-search">
        <Rename search={search} onDone={() => setRenaming(false)} />
      </li>
    );
  }
  return (
    <li className="saved-search">
      <Link
        className="saved-search-link"
        to={{ pathname: '/strategies', search: search.query }}
        aria-current={isShown ? 'true' : undefined}
        onClick={onApply}
      >
        <span className="saved-search-name">
          <b>{search.name}</b> <NewMatches count={search.newMatches} />
        </span>
        <span className="meta">{text}</span>
      </Link>
      <button
        ref={renameButton}
        className="btn btn--quiet btn--icon"
        type="button"
        title="Rename"
        aria-label={`Rename ${search.name}`}
        onClick={() => setRenaming(true)}
      >
        <Icon name="pencil" />
      </button>
      <button
        id={deleteButtonId(search.id)}
        className="btn btn--quiet btn--icon"
        type="button"
        title="Delete"
        aria-label={`Delete ${search.name}`}
        onClick={onDelete}
      >
        <Icon name="trash" />
      </button>
    </li>
  );
};
