import type { AuditedMember } from '@tapedeck/audit/contract';
import { useEffect, useState, type JSX } from 'react';
import { fieldTime, typedTime, type AuditAddress } from './audit-address.ts';
import { formatTime } from '../../ui/format.ts';

export type ChangeAddress = (change: Partial<AuditAddress>) => void;

/** Between two positions of the slider the address stays, so that the answers can follow the finger. */
const settleMs = 120;
const steps = 1_000;

type SliderProps = Readonly<{
  first: string;
  /** The right end, which is now. */
  last: string;
  at: string | null;
  onChange: ChangeAddress;
}>;

const shareOf = ({ first, last, at }: SliderProps): number => {
  if (at === null) return steps;
  const [from, to, time] = [Date.parse(first), Date.parse(last), Date.parse(at)];
  return to <= from ? steps : Math.round(Math.min(1, Math.max(0, (time - from) / (to - from))) * steps);
};

const timeAt = ({ first, last }: SliderProps, step: number): string | null => {
  if (step >= steps) return null;
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return new Date(Math.round(from + ((to - from) * step) / steps)).toISOString();
};

/** From the member's first event to now. */
const InstantSlider = (props: SliderProps): JSX.Element => {
  const { at, onChange } = props;
  const [moved, setMoved] = useState<number | null>(null);
  const step = moved ?? shareOf(props);
  const shown = moved === null ? at : timeAt(props, moved);
  useEffect(() => {
    if (moved === null) return undefined;
    const timer = setTimeout(() => {
      onChange({ at: timeAt(props, moved) });
      setMoved(null);
    }, settleMs);
    return () => clearTimeout(timer);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the timer is that of the last movement
  }, [moved]);
  return (
    <input
      className="instant"
      type="range"
      min={0}
      max={steps}
      value={step}
      aria-label="As of"
      aria-valuetext={shown === null ? 'now' : formatTime(shown)}
      onChange={({ target }) => setMoved(Number(target.value))}
    />
  );
};

type TimeFieldProps = Readonly<{
  label: string;
  value: string | null;
  onChange: (time: string | null) => void;
}>;

/** A time in UTC. It is applied when it is complete, and when the field is left. */
export const TimeField = ({ label, value, onChange }: TimeFieldProps): JSX.Element => {
  const [text, setText] = useState(fieldTime(value));
  const [shownValue, setShownValue] = useState(value);
  if (shownValue !== value) {
    setShownValue(value);
    setText(fieldTime(value));
  }
  return (
    <label className="asof-field">
      <span className="meta">{label}</span>
      <input
        className="input"
        type="datetime-local"
        value={text}
        onChange={({ target }) => {
          setText(target.value);
          const time = typedTime(target.value);
          if (time !== null || target.value === '') onChange(time);
        }}
      />
    </label>
  );
};

export type AsOfBarProps = Readonly<{
  member: AuditedMember;
  address: AuditAddress;
  now: string;
  onChange: ChangeAddress;
}>;

/** Chooses the instant, and whether what was known then counts or what is known today. */
export const AsOfBar = ({ member, address, now, onChange }: AsOfBarProps): JSX.Element => {
  const { at, knowledge, since } = address;
  return (
    <div className="audit-bar">
      {member.firstAt !== null && (
        <InstantSlider first={member.firstAt} last={now} at={at} onChange={onChange} />
      )}
      <TimeField label="As of (UTC)" value={at} onChange={(time) => onChange({ at: time })} />
      <button
        className="btn btn--quiet"
        type="button"
        aria-pressed={at === null}
        onClick={() => onChange({ at: null })}
      >
        Now
      </button>
      <fieldset className="choice">
        <legend className="visually-hidden">What counts</legend>
        {(['then', 'now'] as const).map((one) => (
          <label key={one}>
            <input
              type="radio"
              name="knowledge"
              checked={knowledge === one}
              onChange={() => onChange({ knowledge: one })}
            />
            {one === 'then' ? 'As known then' : 'As it was'}
          </label>
        ))}
      </fieldset>
      <TimeField label="Compare with" value={since} onChange={(time) => onChange({ since: time })} />
    </div>
  );
};
