import { maxPriceReasonLength, type AnnouncedPrices } from '@tapedeck/payments/contract';
import { useState, type JSX } from 'react';
import { detailsOf, failureOf } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { formatTime } from '../../../ui/format.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { ReasonDialog } from '../../../ui/reason-dialog.tsx';
import { RetryNotice } from '../../../ui/retry-notice.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { AnnounceDialog } from './announce-dialog.tsx';
import {
  announcementText,
  canAnnounce,
  formerText,
  planText,
  priceText,
  progressText,
  stateText,
  type Announcement,
  type PlanPrice,
} from './price-words.ts';
import { useAnnouncedPricesQuery, useWithdrawPriceMutation } from './prices.api.ts';

const pollMs = 10_000;

const Announced = ({
  announcement,
  plan,
}: Readonly<{ announcement: Announcement; plan: PlanPrice }>): JSX.Element => {
  const { state, announcedAt, announcedBy, reason } = announcement;
  return (
    <>
      <p>
        <span className={state === 'announced' ? 'badge badge--accent' : 'badge badge--plain'}>
          {stateText(state)}
        </span>{' '}
        {announcementText(announcement, plan)} {progressText(announcement)}
      </p>
      <p className="meta row-more">
        <span>
          By {announcedBy ?? 'a deleted account'}, {formatTime(announcedAt)}
        </span>
        <span>“{reason ?? 'the reason was deleted'}”</span>
      </p>
    </>
  );
};

type PlanProps = Readonly<{ plan: PlanPrice; onAnnounce: () => void; onWithdraw: () => void }>;

const Plan = ({ plan, onAnnounce, onWithdraw }: PlanProps): JSX.Element => {
  const { announcement } = plan;
  const name = planText(plan);
  return (
    <>
      <div className="row-head">
        <b>{name}</b>
        <span>{priceText(plan, plan)}</span>
        <span className="row push">
          {announcement?.withdrawableUntil && (
            <button
              className="btn btn--sm"
              type="button"
              aria-label={`Withdraw the announcement of ${name}`}
              onClick={onWithdraw}
            >
              Withdraw
            </button>
          )}
          {canAnnounce(plan) && (
            <button
              className="btn btn--sm"
              type="button"
              aria-label={`Announce the price of ${name}`}
              onClick={onAnnounce}
            >
              Announce
            </button>
          )}
        </span>
      </div>
      <p>{formerText(plan)}</p>
      {announcement && <Announced announcement={announcement} plan={plan} />}
    </>
  );
};

const Loaded = ({ prices }: Readonly<{ prices: AnnouncedPrices }>): JSX.Element => {
  const [announced, setAnnounced] = useState<PlanPrice | null>(null);
  const [withdrawn, setWithdrawn] = useState<PlanPrice | null>(null);
  const [withdraw] = useWithdrawPriceMutation();
  const { plans, noticeDays } = prices;
  const isQuiet = plans.every(
    ({ formerAmounts, announcement }) => formerAmounts.length === 0 && !announcement,
  );
  const confirm = async (reason: string): Promise<Problem | null> => {
    if (!withdrawn?.announcement) return null;
    const { tier, period, announcement } = withdrawn;
    const { error } = await withdraw({ tier, period, announcementId: announcement.announcementId, reason });
    if (!error)
      showToast({
        kind: 'ok',
        title: 'Withdrawn',
        text: 'Members who were notified get an e-mail that says so.',
      });
    return failureOf(error, 'The announcement was not withdrawn: try again.');
  };
  return (
    <section className="card" aria-labelledby="plans-title">
      <div className="card-head">
        <h2 id="plans-title">Plans</h2>
      </div>
      <p className="queue-hint meta" role="status">
        {isQuiet
          ? 'All members pay the price at which their plan is sold: there is nothing to announce.'
          : `Members on a former price keep it until another one is announced to them. They are notified at least ${noticeDays} days before, and can cancel until then.`}
      </p>
      <ul className="queue rows" aria-labelledby="plans-title">
        {plans.map((plan) => (
          <li key={planText(plan)}>
            <Plan plan={plan} onAnnounce={() => setAnnounced(plan)} onWithdraw={() => setWithdrawn(plan)} />
          </li>
        ))}
      </ul>
      <AnnounceDialog plan={announced} prices={prices} onClose={() => setAnnounced(null)} />
      <ReasonDialog
        isOpen={withdrawn !== null}
        title="Withdraw the announcement?"
        maxLength={maxPriceReasonLength}
        action="Withdraw"
        isDangerous
        onConfirm={confirm}
        onClose={() => setWithdrawn(null)}
      >
        <p>
          The members keep the price that they pay. Those who were notified of the new one get an e-mail that
          says so.
        </p>
      </ReasonDialog>
    </section>
  );
};

/** `/admin/prices`: what members on former prices pay, and what is announced to them. */
export const PricesPage = (): JSX.Element => {
  const query = useAnnouncedPricesQuery();
  const { data, error, isFetching, refetch } = query;
  useRepeat(query, { onRepeat: () => void refetch(), intervalMs: pollMs });
  return (
    <main className="wrap member-page" id="main">
      <div>
        <h1>Prices</h1>
        <p className="meta">What the plans cost, and what members on former prices pay.</p>
      </div>
      {error && (
        <RetryNotice
          text={
            data
              ? 'The prices could not be loaded: this is what they were before.'
              : 'The prices could not be loaded. Nothing was changed.'
          }
          details={detailsOf(error)}
          isRetrying={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {!data && !error && <span className="skeleton card-skeleton" />}
      {data && <Loaded prices={data} />}
    </main>
  );
};
