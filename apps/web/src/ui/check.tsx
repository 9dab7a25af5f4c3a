import { useId, type JSX } from 'react';

export type CheckProps = Readonly<{ label: string; hint: string; isOn: boolean; onTurn: () => void }>;

export const Check = ({ label, hint, isOn, onTurn }: CheckProps): JSX.Element => {
  const hintId = useId();
  return (
    <div>
      <label className="check">
        <input type="checkbox" checked={isOn} aria-describedby={hintId} onChange={onTurn} />
        {label}
      </label>
      <p className="hint check-hint" id={hintId}>
        {hint}
      </p>
    </div>
  );
};
