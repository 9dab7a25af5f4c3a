import { useId, useState, type ChangeEvent, type JSX } from 'react';
import type { DayRange } from './days.ts';

export type DayRangeFieldProps = Readonly<{
  label: string;
  /** Accessible names of the two inputs. */
  names: readonly [from: string, to: string];
  hint?: string;
  value: DayRange;
  /** Whether the first day is after the last. */
  isReversed: (days: DayRange) => boolean;
  /** Only complete days in order. */
  onDays: (days: DayRange) => void;
}>;

type Side = 'from' | 'to';
type Draft = Readonly<{
  from: string;
  to: string;
  /** A date input reports day, month and year one after the other. */
  isComplete: boolean;
  isBlurred: boolean;
  /** The field's value while this was typed: a new value discards the draft. */
  basedOn: DayRange;
}>;

/** A year that is still being typed reads 0002, 0020, 0202. */
const firstDay = '1000-01-01';
const lastDay = '9999-12-31';

const reversedText = 'The first day is after the last: change one of them';

const sameDays = (one: DayRange, other: DayRange): boolean => one.from === other.from && one.to === other.to;
const daysOf = ({ from, to }: Pick<Draft, Side>): DayRange => ({ from: from || null, to: to || null });

/** Two days to type or to pick. A draft that is incomplete or reversed is explained and not reported. */
export const DayRangeField = (props: DayRangeFieldProps): JSX.Element => {
  const { label, names, hint, value, isReversed, onDays } = props;
  const [id, hintId] = [useId(), useId()];
  const [typed, setTyped] = useState<Draft | null>(null);
  const draft = typed && sameDays(typed.basedOn, value) ? typed : null;

  const problemOf = (): string | null => {
    if (draft && !draft.isComplete)
      return draft.isBlurred ? 'Enter a day, a month and a year of four digits' : null;
    return isReversed(draft ? daysOf(draft) : value) ? reversedText : null;
  };
  const problem = problemOf();

  const onChange =
    (side: Side) =>
    ({ target }: ChangeEvent<HTMLInputElement>): void => {
      const shown = { from: draft?.from ?? value.from ?? '', to: draft?.to ?? value.to ?? '' };
      const next = { ...shown, [side]: target.value };
      const isComplete =
        !target.validity.badInput && [next.from, next.to].every((day) => day === '' || day >= firstDay);
      const days = daysOf(next);
      const isValid = isComplete && !isReversed(days);
      setTyped({ ...next, isComplete, isBlurred: false, basedOn: isValid ? days : value });
      if (isValid && !sameDays(days, value)) onDays(days);
    };

  const input = (side: Side, name: string): JSX.Element => (
    <input
      className="input"
      type="date"
      min={firstDay}
      max={lastDay}
      aria-label={name}
      aria-describedby={hintId}
      aria-invalid={problem !== null}
      value={draft ? draft[side] : (value[side] ?? '')}
      onChange={onChange(side)}
      onBlur={() => setTyped((last) => last && { ...last, isBlurred: true })}
    />
  );

  return (
    <div className="field" role="group" aria-labelledby={id}>
      <span className="label" id={id}>
        {label}
      </span>
      <div className="pair">
        {input('from', names[0])}
        <span aria-hidden="true">–</span>
        {input('to', names[1])}
      </div>
      <span className={problem ? 'error' : 'hint'} id={hintId} aria-live="polite">
        {problem ?? hint}
      </span>
    </div>
  );
};
