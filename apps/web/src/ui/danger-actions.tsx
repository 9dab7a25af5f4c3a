import type { JSX } from 'react';
import { ActionButton } from './action-button.tsx';

export type DangerActionsProps = Readonly<{
  /** On the button that removes it. */
  label: string;
  keepLabel?: string;
  isBusy: boolean;
  onKeep: () => void;
  onRemove: () => void;
}>;

/** The end of a dialog that asks before something is removed. */
export const DangerActions = ({
  label,
  keepLabel = 'Keep it',
  isBusy,
  onKeep,
  onRemove,
}: DangerActionsProps): JSX.Element => (
  <div className="dialog-actions">
    <button className="btn" type="button" onClick={onKeep}>
      {keepLabel}
    </button>
    <ActionButton className="btn btn--danger-fill" type="button" isBusy={isBusy} onClick={onRemove}>
      {label}
    </ActionButton>
  </div>
);
