import { useState, type JSX } from 'react';
import { fieldTime, typedTime, type AuditAddress } from './audit-address.ts';

export type ChangeAddress = (change: Partial<AuditAddress>) => void;

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
  address: AuditAddress;
  onChange: ChangeAddress;
}>;

/** Chooses the instant, and whether what was known then counts or what is known today. */
export const AsOfBar = ({ address, onChange }: AsOfBarProps): JSX.Element => {
  const { at, knowledge, since } = address;
  return (
    <div className="audit-bar">
      <TimeField label="As of (UTC)" value={at} onChange={(time) => onChange({ at: time })} />
      <button
        className="btn btn--quiet btn--sm"
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
