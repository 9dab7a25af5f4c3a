import { useState, type FormEvent, type JSX, type ReactNode } from 'react';
import { failureOf } from '../../api/problem-text.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InlineError } from '../../ui/inline-error.tsx';
import { useAccountDeletion } from './identity.api.ts';

const titleId = 'delete-account-title';

export type DeleteAccountDialogProps = Readonly<{
  isOpen: boolean;
  email: string;
  /** What happens to a running subscription. */
  subscription: ReactNode;
  onClose: () => void;
}>;

const DeleteForm = ({ email, subscription, onClose }: DeleteAccountDialogProps): JSX.Element => {
  const [confirmation, setConfirmation] = useState('');
  const [deleteAccount, { isLoading, error }] = useAccountDeletion();
  const isConfirmed = confirmation.trim().toLowerCase() === email.toLowerCase();
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isConfirmed) void deleteAccount({ confirmation: confirmation.trim() });
  };
  const problem = failureOf(error, 'The account was not deleted. Please try again.');
  return (
    <form onSubmit={submit}>
      <div className="dialog-body">
        <h2 id={titleId}>Delete Account</h2>
        <p>Your profile, favorites and saved searches are deleted at once. This cannot be undone.</p>
        {subscription && <div className="notice notice--warn">{subscription}</div>}
        <div className="field">
          <label className="label" htmlFor="delete-confirmation">
            Type {email} to confirm
          </label>
          <input
            className="input"
            id="delete-confirmation"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={confirmation}
            onChange={({ target }) => setConfirmation(target.value)}
          />
        </div>
        <InlineError problem={problem} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Keep my account
        </button>
        <ActionButton
          className="btn btn--danger-fill"
          type="submit"
          isBusy={isLoading}
          disabled={!isConfirmed}
        >
          {isLoading ? 'Deleting...' : 'Delete Account'}
        </ActionButton>
      </div>
    </form>
  );
};

/** Deletes the account after its address was typed. */
export const DeleteAccountDialog = (props: DeleteAccountDialogProps): JSX.Element => (
  <Dialog isOpen={props.isOpen} titleId={titleId} onClose={props.onClose}>
    <DeleteForm {...props} />
  </Dialog>
);
