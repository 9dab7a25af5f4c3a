import { maxMoneyReasonLength, maxRepeatReasonLength, type Queues } from '@tapedeck/payments/contract';
import { useState, type JSX } from 'react';
import { useRepeat } from '../../../api/use-repeat.ts';
import { detailsOf, failureOf } from '../../../api/problem-text.ts';
import { formatMoney, formatTime } from '../../../ui/format.ts';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import type { Problem } from '../../../ui/inline-error.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { useAbandonRefusedMutation, useMoneyProposalsQuery } from '../money/money.api.ts';
import { ProposalItem } from '../money/proposals.tsx';
import { Owner, QueueCard } from './queue-card.tsx';
import {
  Dispute,
  Duplicate,
  FailedRead,
  Finding,
  Mismatch,
  Refused,
  Return,
  Unclaimed,
  UnknownPrice,
  type ItemOf,
} from './queue-items.tsx';
import { totalText } from './queue-words.ts';
import { useAcceptFindingMutation, useQueuesQuery, useRepeatRefusedMutation } from './queues.api.ts';

const pollMs = 10_000;
const again = { refetchOnMountOrArgChange: true };

/** Above the limit for one person. */
const ProposalsQueue = (): JSX.Element => {
  const query = useMoneyProposalsQuery(null, again);
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <>
      {error && (
        <RetryNotice
          text="The proposals could not be loaded. Nothing was changed."
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <span className="skeleton card-skeleton" />}
      {data && (
        <QueueCard
          id="proposals"
          title="Waiting for approval"
          hint="Refunds and immediate ends above the limit. An admin other than the one who proposed it decides; a proposal expires after 7 days."
          empty="No action waits for approval."
          queue={data}
          keyOf={({ proposalId }) => proposalId}
          render={(proposal) => (
            <ProposalItem proposal={proposal} owner={<Owner {...proposal} unowned="" />} />
          )}
        />
      )}
    </>
  );
};

const repeatTitles: Readonly<Record<ItemOf<'refused'>['kind'], string>> = {
  refund: 'Refund again?',
  'end-now': 'End the subscription again?',
  'announced-price': 'Request the price again?',
  'keep-price': 'Withdraw the price again?',
  downgrade: 'Schedule the change again?',
};

const RefusedQueue = ({ refused }: Readonly<{ refused: Queues['refused'] }>): JSX.Element => {
  const [repeated, setRepeated] = useState<ItemOf<'refused'> | null>(null);
  const [abandoned, setAbandoned] = useState<ItemOf<'refused'> | null>(null);
  const [repeat] = useRepeatRefusedMutation();
  const [abandon] = useAbandonRefusedMutation();
  const confirmAbandon = async (reason: string): Promise<Problem | null> => {
    const { subscriptionId = '', requestId = '' } = abandoned ?? {};
    const { error } = await abandon({ subscriptionId, requestId, reason });
    if (!error)
      showToast({
        kind: 'ok',
        title: 'Recorded',
        text: 'Stripe is not asked for it any more. What is owed above the limit stays until another admin abandons it, too.',
      });
    return failureOf(error, 'Nothing was changed: try again.');
  };
  const confirm = async (reason: string): Promise<Problem | null> => {
    const { subscriptionId = '', requestId = '' } = repeated ?? {};
    const { error } = await repeat({ subscriptionId, requestId, reason });
    if (!error) showToast({ kind: 'ok', title: 'Tried again', text: 'Stripe is asked once more.' });
    return failureOf(error, 'Nothing was changed: try again.');
  };
  return (
    <>
      <QueueCard
        id="refused"
        title="Refused by Stripe"
        hint="Money that should go back, a subscription that should end, or a price that was announced: refused, sent back by the bank, or held after a replay. Remove the reason, then try again; what is done at Stripe itself leaves the queue automatically."
        empty="Stripe has refused nothing."
        queue={refused}
        keyOf={({ requestId }) => requestId}
        render={(item) => (
          <Refused item={item} onRepeat={() => setRepeated(item)} onAbandon={() => setAbandoned(item)} />
        )}
      />
      <ReasonDialog
        isOpen={abandoned !== null}
        title="Abandon it?"
        maxLength={maxMoneyReasonLength}
        action="Abandon"
        isDangerous
        onConfirm={confirmAbandon}
        onClose={() => setAbandoned(null)}
      >
        <p>
          It is not tried any more: a price stays as it is. What is done at Stripe already stays as it is,
          too. Abandon a refund that is owed only after it was paid in another way, and write how.
        </p>
      </ReasonDialog>
      <ReasonDialog
        isOpen={repeated !== null}
        title={repeatTitles[repeated?.kind ?? 'refund']}
        maxLength={maxRepeatReasonLength}
        action="Try again"
        onConfirm={confirm}
        onClose={() => setRepeated(null)}
      >
        <p>
          Stripe is asked for the same once more. Nothing happens twice: what is done already stays as it is.
        </p>
      </ReasonDialog>
    </>
  );
};

const FindingQueue = ({ findings }: Readonly<{ findings: Queues['findings'] }>): JSX.Element => {
  const [accepted, setAccepted] = useState<ItemOf<'findings'> | null>(null);
  const [accept] = useAcceptFindingMutation();
  const confirm = async (reason: string): Promise<Problem | null> => {
    const { subscriptionId = '', kind = 'money-without-access' } = accepted ?? {};
    const { error } = await accept({ subscriptionId, kind, reason });
    if (!error)
      showToast({ kind: 'ok', title: 'Accepted', text: 'It is listed again only when it changes.' });
    return failureOf(error, 'Nothing was changed: try again.');
  };
  return (
    <>
      <QueueCard
        id="findings"
        title="Money and access"
        hint="Ledger, access and Stripe disagree, and nothing else waits for it. Refund or end it, or give the purchase its owner; what agrees again leaves the queue automatically within six hours."
        empty="Everything that is paid for gives access, and all access is paid for."
        queue={findings}
        keyOf={({ subscriptionId }) => subscriptionId}
        render={(item) => <Finding item={item} onAccept={() => setAccepted(item)} />}
      />
      <ReasonDialog
        isOpen={accepted !== null}
        title="Is it right as it is?"
        maxLength={maxRepeatReasonLength}
        action="It is right"
        onConfirm={confirm}
        onClose={() => setAccepted(null)}
      >
        <p>
          Nothing is charged, refunded or granted. The entry leaves the queue for this amount and this period:
          the next charge is listed again.
        </p>
      </ReasonDialog>
    </>
  );
};

const Loaded = ({ queues }: Readonly<{ queues: Queues }>): JSX.Element => {
  const { readAt, disputes, duplicates, unknownPrices, returns, refused, unclaimed, mismatches } = queues;
  const { total, findings, failedReads } = queues;
  return (
    <>
      <p className="queue-total" role="status">
        <strong>{totalText(total, formatMoney)}</strong>
        {total.oldestAt !== null && ` The oldest is of ${formatTime(total.oldestAt)}.`}
      </p>
      <FindingQueue findings={findings} />
      <QueueCard
        id="disputes"
        title="Disputes"
        hint="Send evidence at Stripe before the deadline. The member keeps access until a dispute is lost."
        empty="No dispute is open."
        queue={disputes}
        keyOf={({ disputeId }) => disputeId}
        render={(item) => <Dispute item={item} readAt={readAt} />}
      />
      <QueueCard
        id="duplicates"
        title="Two subscriptions"
        hint="A member pays twice. Ask which subscription to keep, then end and refund the other on the member’s page."
        empty="No member has two live subscriptions."
        queue={duplicates}
        keyOf={({ accountId }) => accountId}
        render={(item) => <Duplicate item={item} />}
      />
      <ProposalsQueue />
      <RefusedQueue refused={refused} />
      <QueueCard
        id="returns"
        title="Being returned"
        hint="Purchases that cannot be kept: all of their payments go back automatically, and the subscription ends. One that stays here has been refused above, or waits for Stripe."
        empty="Nothing is being returned."
        queue={returns}
        keyOf={({ subscriptionId }) => subscriptionId}
        render={(item) => <Return item={item} />}
      />
      <QueueCard
        id="unknown-prices"
        title="Unknown prices"
        hint="Their owners pay a price that belongs to no plan, and keep the plan that they paid last. Give the price its plan at Stripe (metadata tapedeck_plan, such as pro_monthly), or change the subscription back."
        empty="Every subscription has a price of ours."
        queue={unknownPrices}
        keyOf={({ subscriptionId }) => subscriptionId}
        render={(item) => <UnknownPrice item={item} />}
      />
      <QueueCard
        id="unclaimed"
        title="Unclaimed purchases"
        hint="Paid by e-mail, and no account has claimed it. The buyer is reminded; then the money goes back."
        empty="Every purchase belongs to an account."
        queue={unclaimed}
        keyOf={({ subscriptionId }) => subscriptionId}
        render={(item) => <Unclaimed item={item} readAt={readAt} />}
      />
      <QueueCard
        id="failed-reads"
        title="Not read"
        hint="The reconciliation could not read these subscriptions at Stripe, or could not record them. It tries again automatically, after a longer wait each time."
        empty="Every subscription could be read."
        queue={failedReads}
        keyOf={({ job, subscriptionId }) => `${job} ${subscriptionId}`}
        render={(item) => <FailedRead item={item} />}
      />
      <QueueCard
        id="mismatches"
        title="Mismatches"
        hint="Differences at Stripe that the reconciliation found in the last 24 hours."
        empty="In the last 24 hours Stripe and the tape agreed."
        queue={mismatches}
        keyOf={({ eventId }) => eventId}
        render={(item) => <Mismatch item={item} />}
      />
    </>
  );
};

/** `/admin/queues`: what about money waits for a decision of a person. */
export const QueuesPage = (): JSX.Element => {
  const query = useQueuesQuery(undefined, again);
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <main className="wrap member-page" id="main">
      <div>
        <h1>Queues</h1>
        <p className="meta">Payments that need someone’s decision.</p>
      </div>
      {error && (
        <RetryNotice
          text={
            data
              ? 'The queues could not be loaded: this is what they were before.'
              : 'The queues could not be loaded. Nothing was changed.'
          }
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <span className="skeleton card-skeleton" />}
      {data && <Loaded queues={data} />}
    </main>
  );
};
