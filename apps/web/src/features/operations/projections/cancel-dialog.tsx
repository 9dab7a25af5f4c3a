import type { Change } from '@tapedeck/operations/contract';
import { useId, type JSX } from 'react';
import { failureOf } from '../../../api/problem-text.ts';
import { DangerActions } from '../../../ui/danger-actions.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { InlineError } from '../../../ui/inline-error.tsx';
import { useCancelChangeMutation } from './projections.api.ts';

type Props = Readonly<{
  name: string;
  /** Null while the dialog is closed. */
  change: Change | null;
  onClose: () => void;
}>;

type ContentProps = Readonly<Props & { change: Change; titleId: string }>;

const Content = ({ name, change, titleId, onClose }: ContentProps): JSX.Element => {
  const [cancel, { isLoading, error }] = useCancelChangeMutation();
  const confirm = async (): Promise<void> => {
    const answer = await cancel({ name, body: { requestId: change.requestId } });
    if (!answer.error) onClose();
  };
  return (
    <>
      <div className="dialog-body">
        <h2 id={titleId}>
          Cancel the {change.kind} of {name}?
        </h2>
        <p>
          {change.kind === 'rebuild'
            ? 'What was built so far is deleted, and the build in use stays.'
            : 'The build in use stays, and the one before can be rolled back to later.'}{' '}
          This is recorded with your name.
        </p>
        <InlineError problem={failureOf(error, 'Nothing was cancelled: try again.')} />
      </div>
      <DangerActions
        label={`Cancel the ${change.kind}`}
        keepLabel="Keep it running"
        isBusy={isLoading}
        onKeep={onClose}
        onRemove={() => void confirm()}
      />
    </>
  );
};

/** Asks before what was built is lost. */
export const CancelDialog = ({ name, change, onClose }: Props): JSX.Element => {
  const titleId = useId();
  return (
    <Dialog isOpen={change !== null} titleId={titleId} onClose={onClose}>
      {change && <Content name={name} change={change} titleId={titleId} onClose={onClose} />}
    </Dialog>
  );
};
