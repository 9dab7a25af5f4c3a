import { useState, type JSX, type KeyboardEvent } from 'react';
import { parseTyped } from '../format.ts';

export type BoundInputProps = Readonly<{
  label: string;
  placeholder: string;
  value: number | null;
  describedBy: string;
  /** Why the typed text cannot stand, or null. */
  problem: string | null;
  /** Null opens the bound; `undefined` is text that is no number. Answers whether it could stand. */
  onTyped: (value: number | null | undefined) => boolean;
}>;

/** A figure that takes effect on Enter or on leaving the field; Escape takes the typing back. */
export const BoundInput = (props: BoundInputProps): JSX.Element => {
  const { label, placeholder, value, describedBy, problem, onTyped } = props;
  const [draft, setDraft] = useState<string | null>(null);

  const commit = (): void => {
    if (draft === null) return;
    const typed = draft.trim() === '' ? null : (parseTyped(draft) ?? undefined);
    if (onTyped(typed)) setDraft(null);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape' && draft !== null) {
      event.stopPropagation();
      setDraft(null);
      onTyped(value);
    }
  };

  return (
    <input
      className="input input--sm"
      inputMode="decimal"
      autoComplete="off"
      aria-label={label}
      aria-invalid={problem !== null}
      aria-describedby={describedBy}
      placeholder={placeholder}
      value={draft ?? (value === null ? '' : String(value))}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
};
