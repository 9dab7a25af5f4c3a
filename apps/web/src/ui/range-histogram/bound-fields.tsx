import { useId, useState, type JSX, type KeyboardEvent, type ReactNode } from 'react';
import { parseTyped } from '../format.ts';
import type { Bounds } from './range-thumbs.ts';

type BoundInputProps = Readonly<{
  label: string;
  placeholder: string;
  value: number | null;
  hintId: string;
  isInvalid: boolean;
  /** Null opens the bound; `undefined` is text that is not a number. Returns whether the value was accepted. */
  onTyped: (value: number | null | undefined) => boolean;
}>;

/** A number that takes effect on Enter or on leaving the field; Escape restores the value. */
const BoundInput = (props: BoundInputProps): JSX.Element => {
  const { label, placeholder, value, hintId, isInvalid, onTyped } = props;
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
      aria-invalid={isInvalid}
      aria-describedby={hintId}
      placeholder={placeholder}
      value={draft ?? (value === null ? '' : String(value))}
      onChange={(event) => setDraft(event.target.value)}
      onBlur={commit}
      onKeyDown={onKeyDown}
    />
  );
};

type Side = 'low' | 'high';
type Problem = Readonly<{ side: Side; text: string }>;

const reversedText = 'The minimum is above the maximum';

export type BoundFieldsProps = Readonly<{
  label: string;
  bounds: Bounds;
  isReversed: (bounds: Bounds) => boolean;
  /** Shown while there is no problem; not announced, because it may change with every frame. */
  hint: ReactNode;
  onBounds: (bounds: Bounds) => void;
}>;

export const BoundFields = (props: BoundFieldsProps): JSX.Element => {
  const { label, bounds, isReversed, hint, onBounds } = props;
  const hintId = useId();
  const [typedProblem, setTypedProblem] = useState<Problem | null>(null);
  const problem = typedProblem ?? (isReversed(bounds) ? { side: 'low', text: reversedText } : null);

  const problemOf = (side: Side, value: number | null | undefined): Problem | null => {
    if (value === undefined) return { side, text: 'Enter a number, such as 50 or 1.5K' };
    // A side that is left as it is must not block the correction of the other one.
    const isChanged = value !== bounds[side];
    return isChanged && isReversed({ ...bounds, [side]: value }) ? { side, text: reversedText } : null;
  };
  const onTyped = (side: Side, value: number | null | undefined): boolean => {
    const found = problemOf(side, value);
    setTypedProblem(found);
    if (found || value === undefined) return false;
    if (value !== bounds[side]) onBounds({ ...bounds, [side]: value });
    return true;
  };
  const input = (side: Side, name: string, placeholder: string): JSX.Element => (
    <BoundInput
      label={`${label} ${name}`}
      placeholder={placeholder}
      value={bounds[side]}
      hintId={hintId}
      isInvalid={problem?.side === side}
      onTyped={(value) => onTyped(side, value)}
    />
  );
  return (
    <div className="histogram-fields">
      {input('low', 'from', 'min')}
      <span aria-hidden="true">–</span>
      {input('high', 'to', 'max')}
      <span className="histogram-note" id={hintId}>
        {!problem && <span className="hint">{hint}</span>}
        <span className="error" aria-live="polite">
          {problem?.text}
        </span>
      </span>
    </div>
  );
};
