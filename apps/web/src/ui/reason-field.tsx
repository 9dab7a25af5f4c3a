import type { JSX } from 'react';

export type ReasonFieldProps = Readonly<{
  id: string;
  value: string;
  minLength?: number;
  maxLength: number;
  /** By whom it is read, and by whom not. */
  hint?: string;
  onChange: (reason: string) => void;
}>;

/** Why somebody of support or an admin does something. */
export const ReasonField = ({
  id,
  value,
  minLength,
  maxLength,
  hint = 'This is recorded with your name. The member does not see it.',
  onChange,
}: ReasonFieldProps): JSX.Element => (
  <div className="field">
    <label className="label" htmlFor={id}>
      Reason
    </label>
    <textarea
      className="input"
      id={id}
      rows={2}
      required
      minLength={minLength}
      maxLength={maxLength}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
    <span className="hint">{hint}</span>
  </div>
);
