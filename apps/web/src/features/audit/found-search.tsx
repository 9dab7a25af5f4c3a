import type { FoundMembers } from '@tapedeck/audit/contract';
import { useId, useState, type FormEvent, type JSX, type ReactNode, type Ref } from 'react';
import { minSearchLength } from './member-field.tsx';
import { useFound } from './use-found.tsx';

export type FoundSearchProps = Readonly<{
  label: string;
  field?: Ref<HTMLInputElement>;
  /** What of it can be chosen. */
  render: (found: FoundMembers) => ReactNode;
  countOf: (found: FoundMembers) => number;
}>;

type FoundProps = Pick<FoundSearchProps, 'render' | 'countOf'> & Readonly<{ text: string }>;

const Found = ({ text, render, countOf }: FoundProps): JSX.Element => {
  const { found, isFetching, failure } = useFound(text);
  if (failure) return failure;
  const count = found ? countOf(found) : 0;
  return (
    <>
      <p className="hint" role="status">
        {isFetching && 'Searching...'}
        {!isFetching && count === 0 && `Nothing was found for “${text}”. Ids must be complete.`}
        {!isFetching && count > 0 && `${count} found`}
      </p>
      {found && count > 0 && render(found)}
    </>
  );
};

/** Finds by anything that a ticket may name what is then chosen. */
export const FoundSearch = ({ label, field, render, countOf }: FoundSearchProps): JSX.Element => {
  const id = useId();
  const [text, setText] = useState('');
  /** Each press of the button searches, also for the same text. */
  const [asked, setAsked] = useState({ text: '', count: 0 });
  const search = (event: FormEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    setAsked(({ count }) => ({ text: text.trim(), count: count + 1 }));
  };
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <form className="picker-search" role="search" onSubmit={search}>
        <input
          ref={field}
          className="input"
          id={id}
          type="search"
          maxLength={255}
          minLength={minSearchLength}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
        <button className="btn" type="submit">
          Find
        </button>
      </form>
      {asked.text.length >= minSearchLength && (
        <Found key={asked.count} text={asked.text} render={render} countOf={countOf} />
      )}
    </div>
  );
};
