import { useId, useState, type FormEvent, type JSX, type ReactNode } from 'react';
import { Dialog } from './dialog.tsx';
import { showToast } from './toasts.tsx';

export type Outcome = Readonly<{ error?: object | undefined }>;

/** Says why it has failed; true when it has not. */
export const succeeded = ({ error }: Outcome, fallback: string, title = 'Error'): boolean => {
  if (!error) return true;
  const text = 'detail' in error && typeof error.detail === 'string' ? error.detail : fallback;
  showToast({ kind: 'danger', title, text });
  return false;
};

export type ReasonDialogProps = Readonly<{
  isOpen: boolean;
  title: string;
  /** What it does, before the reason is asked for. */
  children: ReactNode;
  maxLength: number;
  /** Of the button that does it. */
  action: string;
  isDangerous?: boolean;
  /** Of the toast when it fails; the text is for a failure without one. */
  failure?: Readonly<{ title: string; text: string }>;
  /** Closes the dialog when it succeeds. */
  onConfirm: (reason: string) => Promise<Outcome>;
  onClose: () => void;
}>;

const ReasonForm = (props: ReasonDialogProps & Readonly<{ titleId: string }>): JSX.Element => {
  const { title, titleId, children, maxLength, action, isDangerous, onConfirm, onClose } = props;
  const { failure = { title: 'Error', text: 'Nothing was changed: try again.' } } = props;
  const [reason, setReason] = useState('');
  const [isBusy, setBusy] = useState(false);
  const fieldId = `${titleId}-reason`;
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    const isDone = succeeded(await onConfirm(reason.trim()), failure.text, failure.title);
    setBusy(false);
    if (isDone) onClose();
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id={titleId}>{title}</h2>
        {children}
        <div className="field">
          <label className="label" htmlFor={fieldId}>
            Reason
          </label>
          <textarea
            className="input"
            id={fieldId}
            rows={2}
            required
            minLength={3}
            maxLength={maxLength}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
          <span className="hint">It is recorded with your name.</span>
        </div>
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Cancel
        </button>
        <button
          className={`btn ${isDangerous ? 'btn--danger-fill' : 'btn--primary'}`}
          type="submit"
          disabled={isBusy || reason.trim().length < 3}
        >
          {action}
        </button>
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
