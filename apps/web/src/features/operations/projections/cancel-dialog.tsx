import type { Change } from '@tapedeck/operations/contract';
import { useId, useState, type JSX } from 'react';
import { succeeded } from '../../../api/succeeded.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useCancelChangeMutation } from './projections.api.ts';

type Props = Readonly<{
  name: string;
  /** Null while the dialog is closed. */
  change: Change | null;
  onClose: () => void;
}>;

/** Asks before what was built is lost. */
export const CancelDialog = ({ name, change, onClose }: Props): JSX.Element => {
  const titleId = useId();
  const [cancel] = useCancelChangeMutation();
  const [isBusy, setBusy] = useState(false);
  const confirm = async (requestId: string): Promise<void> => {
    setBusy(true);
    succeeded(await cancel({ name, body: { requestId } }), 'Nothing was cancelled: try again.');
    setBusy(false);
    onClose();
  };
  return (
    <Dialog isOpen={change !== null} titleId={titleId} onClose={onClose}>
      {change && (
        <>
          <div className="dialog-body">
            <h2 id={titleId}>
              Cancel the {change.kind} of {name}?
            </h2>
            <p>
              {change.kind === 'rebuild'
                ? 'What was built so far is deleted, and the build in use stays.'
                : 'The build in use stays, and the one before can be rolled back to later.'}{' '}
              It is recorded with your name.
            </p>
          </div>
          <div className="dialog-actions">
            <button className="btn" type="button" onClick={onClose}>
              Go on
            </button>
            <button
              className="btn btn--danger-fill"
              type="button"
              disabled={isBusy}
              onClick={() => void confirm(change.requestId)}
            >
              Cancel the {change.kind}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
};
