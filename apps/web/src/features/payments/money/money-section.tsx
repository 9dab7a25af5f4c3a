import type { MemberMoney } from '@tapedeck/payments/contract';
import { useId, useState, type JSX } from 'react';
import { detailsOf } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { AttachForm, type RenderPicker } from './choices.tsx';
import { SubscriptionMoney } from './subscription-money.tsx';
import { ProposalItem } from './proposals.tsx';
import { useMemberMoneyQuery, useMoneyProposalsQuery } from './money.api.ts';

const pollMs = 10_000;

export type MoneySectionProps = Readonly<{ accountId: string; renderPicker: RenderPicker }>;

const Proposals = ({ accountId }: Readonly<{ accountId: string }>): JSX.Element | null => {
  const query = useMoneyProposalsQuery(accountId);
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  if (error && !data)
    return (
      <RetryNotice
        text="What waits for approval could not be loaded."
        details={detailsOf(error)}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (!data || data.count === 0) return null;
  return (
    <ul className="rows money-proposals" aria-label="Waiting for approval">
      {data.items.map((proposal) => (
        <li key={proposal.proposalId}>
          <ProposalItem proposal={proposal} />
        </li>
      ))}
    </ul>
  );
};

const Attach = ({
  accountId,
  unclaimed,
}: Pick<MemberMoney, 'unclaimed'> & Readonly<{ accountId: string }>): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const titleId = useId();
  const close = (): void => setOpen(false);
  return (
    <div className="card-pad money-attach">
      {unclaimed.length === 0 ? (
        <p className="meta">Every purchase belongs to an account: there is none to attach.</p>
      ) : (
        <button className="btn btn--sm" type="button" onClick={() => setOpen(true)}>
          Attach a purchase
        </button>
      )}
      <Dialog isOpen={isOpen} titleId={titleId} onClose={close}>
        <AttachForm titleId={titleId} accountId={accountId} unclaimed={unclaimed} onClose={close} />
      </Dialog>
    </div>
  );
};

const Loaded = ({
  money,
  accountId,
  renderPicker,
}: MoneySectionProps & Readonly<{ money: MemberMoney }>): JSX.Element => (
  <>
    <Proposals accountId={accountId} />
    {money.subscriptions.length === 0 && (
      <p className="card-pad meta" role="status">
        This member owns no subscription.
      </p>
    )}
    {money.subscriptions.map((subscription) => (
      <SubscriptionMoney
        key={subscription.subscriptionId}
        accountId={accountId}
        subscription={subscription}
        renderPicker={renderPicker}
      />
    ))}
    <Attach accountId={accountId} unclaimed={money.unclaimed} />
  </>
);

/** What a member has bought and paid, and what support can do about it. */
export const MoneySection = ({ accountId, renderPicker }: MoneySectionProps): JSX.Element => {
  const query = useMemberMoneyQuery(accountId);
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <section className="card money" aria-labelledby="money-title">
      <div className="card-head">
        <h2 id="money-title">Money</h2>
      </div>
      {error && (
        <div className="card-pad">
          <RetryNotice
            text={
              data
                ? 'What was paid could not be loaded: this is what it was before.'
                : 'What was paid could not be loaded. Nothing was changed.'
            }
            details={detailsOf(error)}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !error && <span className="skeleton card-skeleton" />}
      {data && <Loaded money={data} accountId={accountId} renderPicker={renderPicker} />}
    </section>
  );
};
