import { maxSearchNameLength } from '@tapedeck/saved-searches/contract';
import { useEffect, useRef, type JSX } from 'react';
import type { Problem } from '../../ui/inline-error.tsx';

export const nameMissing: Problem = { text: 'Give the search a name.', details: null };

/** Why the name was refused; null for a fault that is not the name's. */
export const refusalOf = (problem: Problem | null): string | null =>
  problem?.details === null ? problem.text : null;

export type SearchNameFieldProps = Readonly<{
  id: string;
  value: string;
  /** Why the name was refused. */
  problem: string | null;
  /** Accessible name where no label element names the field. */
  label?: string;
  onChange: (name: string) => void;
  /** Handles Escape, which would otherwise close the dialog. */
  onEscape?: () => void;
}>;

/** Selects its text at first, and takes the focus when the name was refused. */
export const SearchNameField = (props: SearchNameFieldProps): JSX.Element => {
  const { id, value, problem, label, onChange, onEscape } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  useEffect(() => {
    if (problem !== null) field.current?.focus();
  }, [problem]);
  return (
    <span className="search-name">
      <input
        ref={field}
        id={id}
        className="input"
        type="text"
        aria-label={label}
        autoComplete="off"
        spellCheck={false}
        maxLength={maxSearchNameLength}
        value={value}
        aria-invalid={problem !== null}
        aria-describedby={problem === null ? undefined : `${id}-problem`}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !onEscape) return;
          event.preventDefault();
          onEscape();
        }}
      />
      {problem !== null && (
        <span className="error" id={`${id}-problem`} role="alert">
          {problem}
        </span>
      )}
    </span>
  );
};
