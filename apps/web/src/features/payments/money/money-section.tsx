import type { MemberMoney } from '@tapedeck/payments/contract';
import { useId, useState, type JSX } from 'react';
import { detailsOf } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { useFocusAfterRemoval } from '../../../ui/browser/use-focus-after-removal.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { AttachForm, type RenderPicker, type RenderPurchases } from './choices.tsx';
import { SubscriptionMoney } from './subscription-money.tsx';
import { ProposalItem } from './proposals.tsx';
import { useMemberMoneyQuery, useMoneyProposalsQuery } from './money.api.ts';

/** As often as the rest of the member’s page is compared with the tape. */
const pollMs = 5_000;
const titleId = 'money-title';
const again = { refetchOnMountOrArgChange: true };

export type MoneySectionProps = Readonly<{
  accountId: string;
  renderPicker: RenderPicker;
  renderPurchases: RenderPurchases;
}>;

const Proposals = ({ accountId }: Readonly<{ accountId: string }>): JSX.Element | null => {
  const query = useMoneyProposalsQuery(accountId, again);
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
        <li key={proposal.proposalId} tabIndex={-1}>
          <ProposalItem proposal={proposal} />
        </li>
      ))}
    </ul>
  );
};

type AttachProps = Pick<MemberMoney, 'unclaimed'> & Pick<MoneySectionProps, 'accountId' | 'renderPurchases'>;

const Attach = ({ unclaimed, ...form }: AttachProps): JSX.Element => {
  const [isOpen, setOpen] = useState(false);
  const formTitleId = useId();
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
      <Dialog isOpen={isOpen} titleId={formTitleId} onClose={close}>
        <AttachForm {...form} titleId={formTitleId} unclaimed={unclaimed} onClose={close} />
      </Dialog>
    </div>
  );
};

const Loaded = ({
  money,
  accountId,
  renderPicker,
  renderPurchases,
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
    <Attach accountId={accountId} unclaimed={money.unclaimed} renderPurchases={renderPurchases} />
  </>
);

/** What a member has bought and paid, and what support can do about it. */
export const MoneySection = (props: MoneySectionProps): JSX.Element => {
  const query = useMemberMoneyQuery(props.accountId, again);
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  const container = useFocusAfterRemoval<HTMLElement>(titleId);
  return (
    <section ref={container} className="card money" aria-labelledby={titleId}>
      <div className="card-head">
        <h2 id={titleId} tabIndex={-1}>
          Money
        </h2>
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
      {data && <Loaded money={data} {...props} />}
    </section>
  );
};
