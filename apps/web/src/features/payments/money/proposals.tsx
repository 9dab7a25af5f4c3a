import type { MoneyProposal } from '@tapedeck/payments/contract';
import { maxMoneyReasonLength } from '@tapedeck/payments/contract';
import { useCallback, useEffect, useId, useState, type JSX, type ReactNode } from 'react';
import { failureOf } from '../../../api/problem-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { formatMoney, formatTime } from '../../../ui/format.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import {
  useApproveProposalMutation,
  usePreviewProposalMutation,
  useRejectProposalMutation,
} from './money.api.ts';
import { confirmText } from './money-words.ts';
import { previewProblem, useConfirmation } from './use-confirmation.ts';

const textOf = ({ kind, refunded, currency }: MoneyProposal): string => {
  const amount = formatMoney(refunded, currency);
  if (kind === 'refund') return `Refund of ${amount}`;
  return refunded === 0 ? 'End at once, without a refund' : `End at once, with a refund of ${amount}`;
};

type ProposalProps = Readonly<{ proposal: MoneyProposal; onClose: () => void }>;

const ApproveForm = ({
  proposal,
  titleId,
  onClose,
}: ProposalProps & Readonly<{ titleId: string }>): JSX.Element => {
  const { proposalId, subscriptionId } = proposal;
  const [request, { data, error, isLoading }] = usePreviewProposalMutation();
  const [approve, { isLoading: isApproving }] = useApproveProposalMutation();
  const compute = useCallback((): void => {
    void request({ proposalId, body: { subscriptionId } });
  }, [proposalId, subscriptionId, request]);
  useEffect(compute, [compute]);
  // It is approved by this, so it needs no further approval.
  const shown = isLoading || !data ? undefined : { ...data, needsApproval: false };
  const { preview, problem, onConfirm } = useConfirmation(shown, (body) => approve({ proposalId, body }));
  return (
    <ConfirmForm
      titleId={titleId}
      title="Approve the proposal?"
      shown={{
        preview,
        isComputing: isLoading,
        problem: problem ?? previewProblem(error),
        onRetry: compute,
      }}
      isConfirming={isApproving}
      action={preview ? confirmText(preview) : 'Approve'}
      isDangerous
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Proposed by {proposal.proposedByName ?? 'a deleted account'}: “
        {proposal.reason ?? 'the reason was deleted'}” This is what it does now.
      </p>
    </ConfirmForm>
  );
};

const RejectDialog = ({
  proposal,
  isOpen,
  onClose,
}: ProposalProps & Readonly<{ isOpen: boolean }>): JSX.Element => {
  const [reject] = useRejectProposalMutation();
  const { proposalId, subscriptionId, isOwn } = proposal;
  const confirm = async (reason: string): Promise<Problem | null> => {
    const { error } = await reject({ proposalId, body: { subscriptionId, reason } });
    if (!error)
      showToast({
        kind: 'ok',
        title: isOwn ? 'Withdrawn' : 'Rejected',
        text: 'Nothing was changed at Stripe.',
      });
    return failureOf(error, 'The proposal was not changed: try again.');
  };
  return (
    <ReasonDialog
      isOpen={isOpen}
      title={isOwn ? 'Withdraw the proposal?' : 'Reject the proposal?'}
      maxLength={maxMoneyReasonLength}
      action={isOwn ? 'Withdraw' : 'Reject'}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{textOf(proposal)}. None of it is done.</p>
    </ReasonDialog>
  );
};

export type ProposalItemProps = Readonly<{
  proposal: MoneyProposal;
  /** Where it is not clear from the place. */
  owner?: ReactNode;
}>;

/** A proposal, with what its reader can do about it. */
export const ProposalItem = ({ proposal, owner }: ProposalItemProps): JSX.Element => {
  const [opened, setOpened] = useState<'approve' | 'reject' | null>(null);
  const titleId = useId();
  const close = (): void => setOpened(null);
  const { mayApprove, mayReject, isOwn } = proposal;
  return (
    <>
      <div className="row-head">
        {owner}
        <b>{textOf(proposal)}</b>
        <span className="row push">
          {mayApprove && (
            <button className="btn btn--sm" type="button" onClick={() => setOpened('approve')}>
              Approve
            </button>
          )}
          {mayReject && (
            <button className="btn btn--sm" type="button" onClick={() => setOpened('reject')}>
              {isOwn ? 'Withdraw' : 'Reject'}
            </button>
          )}
        </span>
      </div>
      <p>“{proposal.reason ?? 'The reason was deleted.'}”</p>
      <p className="meta row-more">
        <span>
          Proposed by {isOwn ? 'you' : (proposal.proposedByName ?? 'a deleted account')},{' '}
          {formatTime(proposal.proposedAt)}
        </span>
        <span>Expires {formatTime(proposal.expiresAt)}</span>
        <a className="mono external" href={proposal.stripeUrl} target="_blank" rel="noreferrer">
          {proposal.subscriptionId}
        </a>
        {!mayApprove && (
          <span>{isOwn ? 'Another admin has to approve it.' : 'An admin has to approve it.'}</span>
        )}
      </p>
      <Dialog isOpen={opened === 'approve'} titleId={titleId} onClose={close}>
        <ApproveForm proposal={proposal} titleId={titleId} onClose={close} />
      </Dialog>
      <RejectDialog proposal={proposal} isOpen={opened === 'reject'} onClose={close} />
    </>
  );
};
