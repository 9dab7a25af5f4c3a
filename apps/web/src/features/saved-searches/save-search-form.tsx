import type { SavedSearch } from '@tapedeck/saved-searches/contract';
import { useId, useState, type FormEvent, type JSX } from 'react';
import { problemOf } from '../../api/problem-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { ActionButton } from '../../ui/action-button.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { useSaveSearchMutation } from './saved-searches.api.ts';
import { findSaved, suggestedName, type DescribeSearch } from './saved-searches.ts';
import { nameMissing, refusalOf, SearchNameField } from './search-name-field.tsx';

export type SaveSearchFormProps = Readonly<{
  /** Address of the search on the screen. */
  address: string;
  describe: DescribeSearch;
  searches: readonly SavedSearch[];
  onSaved: () => void;
}>;

/** Saves the search on the screen under a name. */
export const SaveSearchForm = (props: SaveSearchFormProps): JSX.Element => {
  const { address, describe, searches, onSaved } = props;
  const description = describe(address);
  const [save, { isLoading }] = useSaveSearchMutation();
  const [name, setName] = useState(() => suggestedName(description));
  const [problem, setProblem] = useState<Problem | null>(null);
  const labelId = useId();
  const saved = findSaved(searches, description, describe);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading) return;
    if (name.trim() === '') {
      setProblem(nameMissing);
      return;
    }
    setProblem(null);
    const { data, error } = await save({ name, query: description.address });
    if (data) {
      onSaved();
      showToast({
        kind: 'ok',
        title: 'Search saved',
        text: `“${data.name}” counts new matches from now on`,
      });
    } else if (error) {
      setProblem(problemOf(error, 'The search could not be saved. Try again in a moment.'));
    }
  };

  return (
    <form className="save-search" noValidate onSubmit={(event) => void submit(event)}>
      <label className="label" htmlFor={labelId}>
        Name this search
      </label>
      <p className="meta save-search-text">{description.text}</p>
      <div className="save-search-line">
        <SearchNameField
          id={labelId}
          value={name}
          problem={refusalOf(problem)}
          onChange={(typed) => {
            setName(typed);
            setProblem(null);
          }}
        />
        <ActionButton className="btn btn--primary" type="submit" isBusy={isLoading}>
          <Icon name={isLoading ? 'refresh' : 'save'} />
          Save this search
        </ActionButton>
      </div>
      <InlineError problem={refusalOf(problem) === null ? problem : null} />
      {saved && <p className="hint">This search is already saved as “{saved.name}”.</p>}
    </form>
  );
};
