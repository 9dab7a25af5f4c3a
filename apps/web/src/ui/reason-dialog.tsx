import { useId, useState, type FormEvent, type JSX, type ReactNode } from 'react';
import { ActionButton } from './action-button.tsx';
import { Dialog } from './dialog.tsx';
import { InlineError, type Problem } from './inline-error.tsx';
import { ReasonField } from './reason-field.tsx';

export type ReasonDialogProps = Readonly<{
  isOpen: boolean;
  title: string;
  /** What it does, before the reason is asked for. */
  children: ReactNode;
  maxLength: number;
  /** Of the button that does it. */
  action: string;
  isDangerous?: boolean;
  /** Does it; why it has failed, or null, which closes the dialog. */
  onConfirm: (reason: string) => Promise<Problem | null>;
  onClose: () => void;
}>;

const ReasonForm = (props: ReasonDialogProps & Readonly<{ titleId: string }>): JSX.Element => {
  const { title, titleId, children, maxLength, action, isDangerous, onConfirm, onClose } = props;
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const fieldId = `${titleId}-reason`;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    const failed = await onConfirm(reason.trim());
    setBusy(false);
    setProblem(failed);
    if (!failed) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
        <ReasonField
          id={fieldId}
          value={reason}
          minLength={3}
          maxLength={maxLength}
          hint="This is recorded with your name."
          onChange={setReason}
        />
        <InlineError problem={problem} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <ActionButton
          className={`btn ${isDangerous ? 'btn--danger-fill' : 'btn--primary'}`}
          type="submit"
          isBusy={isBusy}
          disabled={reason.trim().length < 3}
        >
          {action}
        </ActionButton>
      </div>
    </form>
  );
};

/** Asks why, and does it. */
export const ReasonDialog = (props: ReasonDialogProps): JSX.Element => {
  const titleId = useId();
  return (
    <Dialog isOpen={props.isOpen} titleId={titleId} onClose={props.onClose}>
      <ReasonForm {...props} titleId={titleId} />
    </Dialog>
  );
};
