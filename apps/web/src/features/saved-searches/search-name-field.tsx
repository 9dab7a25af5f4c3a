import { maxSearchNameLength } from '@tapedeck/saved-searches/contract';
import { useEffect, useRef, type JSX } from 'react';

export type SearchNameProps = Readonly<{
  id: string;
  value: string;
  /** Why the name was not taken. */
  fault: string | null;
  /** Instead of a label of its own. */
  label?: string;
  onChange: (name: string) => void;
  /** Instead of closing the dialog around it. */
  onEscape?: () => void;
}>;

/** The field comes with its text selected, and takes the focus again when the name was refused. */
export const SearchName = (props: SearchNameProps): JSX.Element => {
  const { id, value, fault, label, onChange, onEscape } = props;
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  useEffect(() => {
    if (fault !== null) field.current?.focus();
  }, [fault]);
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
        aria-invalid={fault !== null}
        aria-describedby={fault === null ? undefined : `${id}-fault`}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !onEscape) return;
          event.preventDefault();
          onEscape();
        }}
      />
      {fault !== null && (
        <span className="error" id={`${id}-fault`} role="alert">
          {fault}
        </span>
      )}
    </span>
  );
};
