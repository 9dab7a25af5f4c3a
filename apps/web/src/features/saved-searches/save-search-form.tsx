import type { SavedSearch } from '@tapedeck/saved-searches/contract';
import { useId, useState, type FormEvent, type JSX } from 'react';
import { useSelector } from 'react-redux';
import { Icon } from '../../ui/icon.tsx';
import { showToast } from '../../ui/toasts.tsx';
import { storedForm } from '../explorer/filter-state/filter-storage.ts';
import { useSaveSearchMutation } from './saved-searches.api.ts';
import { savedAs, searchWords, suggestedName } from './saved-searches.ts';
import { SearchName } from './search-name-field.tsx';
import { selectExplorer } from '../explorer/filter-state/use-filters.ts';

export type SaveSearchFormProps = Readonly<{ searches: readonly SavedSearch[]; onSaved: () => void }>;

/** Keeps the filters on the screen under a name. */
export const SaveSearchForm = ({ searches, onSaved }: SaveSearchFormProps): JSX.Element => {
  const { filters } = useSelector(selectExplorer);
  const [save, { isLoading }] = useSaveSearchMutation();
  const [name, setName] = useState(() => suggestedName(filters));
  const [fault, setFault] = useState<string | null>(null);
  const labelId = useId();
  const same = savedAs(searches, filters);

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (isLoading) return;
    if (name.trim() === '') {
      setFault('Give the search a name.');
      return;
    }
    const { data, error } = await save({ name, query: storedForm(filters) });
    if (data) {
      onSaved();
      showToast({
        kind: 'ok',
        title: 'Search saved',
        text: `“${data.name}” counts new matches from now on`,
      });
    } else if (error) {
      setFault(
        ('detail' in error && error.detail) || 'The search could not be saved. Try again in a moment.',
      );
    }
  };

  return (
    <form className="save-search" noValidate onSubmit={(event) => void submit(event)}>
      <label className="label" htmlFor={labelId}>
        Name this search
      </label>
      <p className="meta save-search-words">{searchWords(filters)}</p>
      <div className="save-search-line">
        <SearchName
          id={labelId}
          value={name}
          fault={fault}
          onChange={(typed) => {
            setName(typed);
            setFault(null);
          }}
        />
        <button className="btn btn--primary" type="submit" aria-busy={isLoading}>
          <Icon name={isLoading ? 'refresh' : 'save'} />
          Save this search
        </button>
      </div>
      {same && <p className="hint">It is saved already, as “{same.name}”.</p>}
    </form>
  );
};
