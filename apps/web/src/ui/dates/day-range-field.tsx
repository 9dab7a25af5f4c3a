import { useId, useState, type ChangeEvent, type JSX } from 'react';
import { isReversed, type DayRange } from './days.ts';

export type DayRangeFieldProps = Readonly<{
  label: string;
  /** Accessible names of the two fields. */
  names: readonly [from: string, to: string];
  hint?: string;
  value: DayRange;
  onDays: (days: DayRange) => void;
}>;

type Side = 'from' | 'to';
type Draft = Readonly<{
  from: string;
  to: string;
  /** A day is typed piece by piece; until the last of them it is none. */
  isWhole: boolean;
  isLeft: boolean;
  /** The value at that time: another one ends the draft. */
  of: DayRange;
}>;

/** A year that is still being typed reads 0002, 0020, 0202. */
const firstDay = '1000-01-01';
const lastDay = '9999-12-31';

const sameDays = (one: DayRange, other: DayRange): boolean => one.from === other.from && one.to === other.to;
const daysOf = ({ from, to }: Pick<Draft, Side>): DayRange => ({ from: from || null, to: to || null });

const problemOf = (draft: Draft | null): string | null => {
  if (draft === null) return null;
  if (!draft.isWhole) return draft.isLeft ? 'Give day, month and a year of four digits' : null;
  return isReversed(daysOf(draft)) ? 'The first day is after the last: change one of them' : null;
};

/** Two days to type or to pick; what contradicts itself is explained and not passed on. */
export const DayRangeField = ({ label, names, hint, value, onDays }: DayRangeFieldProps): JSX.Element => {
  const [id, hintId] = [useId(), useId()];
  const [typed, setTyped] = useState<Draft | null>(null);
  const draft = typed && sameDays(typed.of, value) ? typed : null;
  const problem = problemOf(draft);

  const onChange =
    (side: Side) =>
    ({ target }: ChangeEvent<HTMLInputElement>): void => {
      const shown = { from: draft?.from ?? value.from ?? '', to: draft?.to ?? value.to ?? '' };
      const next = { ...shown, [side]: target.value };
      const isWhole =
        !target.validity.badInput && [next.from, next.to].every((day) => day === '' || day >= firstDay);
      const days = daysOf(next);
      const stands = isWhole && !isReversed(days);
      setTyped({ ...next, isWhole, isLeft: false, of: stands ? days : value });
      if (stands && !sameDays(days, value)) onDays(days);
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
      onBlur={() => setTyped((left) => left && { ...left, isLeft: true })}
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
