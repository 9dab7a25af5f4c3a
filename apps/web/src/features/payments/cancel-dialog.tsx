import { type CancelBody, cancellationReasons } from '@tapedeck/payments/contract';
import { useEffect, useState, type FormEvent, type JSX } from 'react';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { InlineError, type Problem } from '../../ui/inline-error.tsx';
import {
  cancelTexts,
  changeProblem,
  hideChangeFailed,
  showChange,
  showChangeFailed,
} from './billing-actions.ts';
import type { Terms } from './billing-facts.ts';
import { useCancelSubscriptionMutation } from './payments.api.ts';
import { cancellationText, type Cancelled } from './subscription-texts.ts';
import { useScreenFollows } from './use-screen-follows.ts';

const titleId = 'cancel-title';
type Reason = (typeof cancellationReasons)[number];

const reasonTexts: Readonly<Record<Reason, string>> = {
  'too-expensive': 'It is too expensive',
  'missing-features': 'Features are missing',
  'switched-service': 'I use another service',
  unused: 'I do not use it',
  'customer-service': 'Customer service',
  'too-complex': 'It is too complex',
  'low-quality': 'The quality is too low',
  other: 'Another reason',
};

export type CancelDialogProps = Readonly<{
  isOpen: boolean;
  subscription: Terms;
  onClose: () => void;
}> &
  Cancelled;

const CancelForm = (props: CancelDialogProps): JSX.Element => {
  const { subscription, others, graceUntil, onClose } = props;
  const { subscriptionId, tier } = subscription;
  const [reason, setReason] = useState<Reason | undefined>();
  const [comment, setComment] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [cancel, { isLoading }] = useCancelSubscriptionMutation();
  const { isFollowing, follow } = useScreenFollows();
  useEffect(() => () => hideChangeFailed(cancelTexts), []);
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setProblem(null);
    const body: NonNullable<CancelBody> = {
      subscriptionId,
      ...(reason ? { reason } : {}),
      ...(comment.trim() ? { comment: comment.trim() } : {}),
    };
    const outcome = await cancel(body);
    await follow();
    const failed = changeProblem(outcome, cancelTexts);
    if (failed) {
      setProblem(failed);
      return showChangeFailed(failed, cancelTexts);
    }
    onClose();
    showChange(outcome, cancelTexts);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <div className="dialog-body">
        <h2 id={titleId}>Cancel your {tier} subscription?</h2>
        <p>{cancellationText(subscription, { others, graceUntil })}</p>
        <div className="field">
          <label className="label" htmlFor="cancel-reason">
            Reason (optional)
          </label>
          <span className="select">
            <select
              id="cancel-reason"
              value={reason ?? ''}
              onChange={({ target }) => setReason(cancellationReasons.find((each) => each === target.value))}
            >
              <option value="">No reason</option>
              {cancellationReasons.map((each) => (
                <option key={each} value={each}>
                  {reasonTexts[each]}
                </option>
              ))}
            </select>
          </span>
        </div>
        <div className="field">
          <label className="label" htmlFor="cancel-comment">
            What could be better? (optional)
          </label>
          <textarea
            className="input"
            id="cancel-comment"
            rows={2}
            maxLength={1_000}
            value={comment}
            onChange={({ target }) => setComment(target.value)}
          />
        </div>
        <InlineError problem={problem} />
      </div>
      <div className="dialog-actions">
        <button className="btn" type="button" onClick={onClose}>
          Keep {tier}
        </button>
        <ActionButton className="btn btn--danger-fill" type="submit" isBusy={isLoading || isFollowing}>
          {isLoading || isFollowing ? 'Processing...' : 'Cancel subscription'}
        </ActionButton>
      </div>
    </form>
  );
};

/** Says what a cancellation means before it is made. */
export const CancelDialog = (props: CancelDialogProps): JSX.Element => (
  <Dialog isOpen={props.isOpen} titleId={titleId} onClose={props.onClose}>
    <CancelForm {...props} />
  </Dialog>
);
