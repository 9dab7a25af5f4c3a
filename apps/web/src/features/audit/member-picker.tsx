import { useId, useState, type FormEvent, type JSX } from 'react';
import { useFoundMembersQuery } from './audit.api.ts';

export type MemberPickerProps = Readonly<{ onChoose: (accountId: string, name: string) => void }>;

const minLength = 2;

const Found = ({ text, onChoose }: MemberPickerProps & Readonly<{ text: string }>): JSX.Element => {
  const { currentData, isError } = useFoundMembersQuery(text);
  if (isError) return <p className="hint">The search has failed: press Find again.</p>;
  if (!currentData) return <span className="skeleton card-skeleton" aria-hidden="true" />;
  if (currentData.members.length === 0) {
    return (
      <p className="hint" role="status">
        No member was found for “{text}”. Ids must be complete.
      </p>
    );
  }
  return (
    <ul className="picker" aria-label="Members">
      {currentData.members.map(({ accountId, email, tier, status }) => (
        <li key={accountId}>
          <button
            className="picker-choice"
            type="button"
            onClick={() => onChoose(accountId, email ?? accountId)}
          >
            <span>{email ?? 'Deleted account'}</span>
            <span className="meta">
              {tier} · {status}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
};

/** Finds a member by anything that a ticket may name, and hands the account on. */
export const MemberPicker = ({ onChoose }: MemberPickerProps): JSX.Element => {
  const id = useId();
  const [text, setText] = useState('');
  const [asked, setAsked] = useState('');
  const search = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setAsked(text.trim());
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        E-mail, name or id of the member
      </label>
      <form className="picker-search" role="search" onSubmit={search}>
        <input
          className="input"
          id={id}
          type="search"
          maxLength={255}
          minLength={minLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button className="btn" type="submit">
          Find
        </button>
      </form>
      {asked.length >= minLength && <Found text={asked} onChoose={onChoose} />}
    </div>
  );
};
