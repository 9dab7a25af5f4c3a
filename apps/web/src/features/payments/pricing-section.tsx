import { identityRoutes } from '@tapedeck/identity/contract';
import {
  billingPeriods,
  paidPlans,
  plans,
  type BillingPeriod,
  type Plan,
  type Tier,
} from '@tapedeck/plans/contract';
import { useEffect, useState, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { termsPath } from '../../api/site.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { annualSaving, shownPrice, type PlanOffers } from './plans.ts';
import { useCheckout } from './use-checkout.ts';

type PlanWithCard = Readonly<{ tier: Tier; card: NonNullable<(typeof plans)[number]['card']> }>;

const cards: readonly PlanWithCard[] = plans.flatMap(({ tier, card }) => (card ? [{ tier, card }] : []));

const periodNames = { monthly: 'Monthly', annual: 'Annual' } as const;

type PeriodChoiceProps = Readonly<{ period: BillingPeriod; onPeriod: (period: BillingPeriod) => void }>;

const PeriodChoice = ({ period, onPeriod }: PeriodChoiceProps): JSX.Element => (
  <fieldset>
    <legend className="visually-hidden">Billing period</legend>
    <span className="choice">
      {billingPeriods.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name="billing-period"
            value={each}
            checked={each === period}
            onChange={() => onPeriod(each)}
          />
          {periodNames[each]}
          {each === 'annual' && <span className="badge badge--ok">25% off</span>}
        </label>
      ))}
    </span>
  </fieldset>
);

type PlanCardProps = Readonly<{
  plan: PlanWithCard;
  isCurrent: boolean;
  price: ReactNode;
  action: ReactNode;
}>;

const PlanCard = ({ plan: { tier, card }, isCurrent, price, action }: PlanCardProps): JSX.Element => (
  <article className={`card plan ${card.isPopular ? 'plan--popular' : ''}`}>
    <div className="plan-top">
      <h3>{tier}</h3>
      {isCurrent ? (
        <span className="badge badge--ok">Your plan</span>
      ) : (
        card.isPopular && <span className="badge badge--accent">Popular</span>
      )}
    </div>
    <p className="plan-text">{card.text}</p>
    {price}
    {action}
    <p className="plan-before">{card.before}</p>
    <ul className="feats">
      {card.lines.map((line) => (
        <li key={line.name}>
          <Icon name="check" small />
          <span>
            {line.name} {'isComing' in line && <span className="badge badge--plain">Coming soon</span>}
          </span>
        </li>
      ))}
    </ul>
  </article>
);

const PaidPrice = ({ plan, offers }: Readonly<{ plan: Plan; offers: PlanOffers }>): JSX.Element => {
  const shown = shownPrice(plan, offers);
  if (!shown) {
    return (
      <p className="price" aria-busy="true">
        <b aria-hidden="true">…</b>
        <span>The price is loading.</span>
      </p>
    );
  }
  const { original, now, after, note } = shown;
  const saving = plan.period === 'annual' ? annualSaving(plan.tier, offers) : null;
  return (
    <p className="price">
      {original && (
        <s>
          <span className="visually-hidden">Before: </span>
          {original}
        </s>
      )}
      <b>{now}</b>
      <span>
        {after}
        {(note ?? saving) && <br />}
        {[note, saving && `${saving} less than by month`].filter(Boolean).join(', ')}
      </span>
    </p>
  );
};

const FreePrice = (
  <p className="price">
    <b>$0</b>
    <span>for as long as you like</span>
  </p>
);

export type PricingSectionProps = Readonly<{
  offers: PlanOffers;
  /** Null for a visitor. */
  member: Readonly<{ tier: string; hasSubscription: boolean }> | null;
}>;

type PaidActionProps = Readonly<{
  plan: Plan;
  offers: PlanOffers;
  isPopular: boolean;
  hasSubscription: boolean;
  pending: Plan | null;
  onChoose: (plan: Plan) => void;
}>;

const PaidAction = (props: PaidActionProps): JSX.Element => {
  const { plan, offers, isPopular, hasSubscription, pending, onChoose } = props;
  if (hasSubscription) {
    return (
      <Link className="btn btn--wide btn--lg" to="/?section=my-account">
        Change your plan in My Account
      </Link>
    );
  }
  const price = shownPrice(plan, offers);
  const button = price?.button ?? 'Pay';
  return (
    <>
      <button
        className={`btn btn--wide btn--lg ${isPopular ? 'btn--primary' : ''}`}
        type="button"
        aria-label={`${plan.tier}: ${button}`}
        aria-describedby={`terms-${plan.tier}`}
        disabled={pending !== null || !price}
        onClick={() => onChoose(plan)}
      >
        {pending?.tier === plan.tier ? 'Processing...' : button}
      </button>
      <p className="hint plan-terms" id={`terms-${plan.tier}`}>
        {price?.renewal} Cancel at any time in My Account; access stays until the end of the paid period.{' '}
        <Link to={termsPath}>Terms of service</Link>
      </p>
    </>
  );
};

const paidPlan = (tier: Tier, period: BillingPeriod): Plan | null =>
  paidPlans.find((plan) => plan.tier === tier && plan.period === period) ?? null;

/** The address may name this section before it is drawn. */
const useAnchor = (id: string): void => {
  useEffect(() => {
    if (window.location.hash === `#${id}`) document.getElementById(id)?.scrollIntoView();
  }, [id]);
};

/** Plans and their prices. A visitor is asked for an address first; a member goes to the payment page at once. */
export const PricingSection = ({ offers, member }: PricingSectionProps): JSX.Element => {
  const [period, setPeriod] = useState<BillingPeriod>('monthly');
  const [asked, setAsked] = useState<Plan | null>(null);
  const { pending, start } = useCheckout();
  useAnchor('pricing');
  const choose = (plan: Plan): void => {
    if (member) void start(plan);
    else setAsked(plan);
  };
  return (
    <section className="wrap pricing" id="pricing" aria-labelledby="pricing-title">
      <div className="pricing-head">
        <div>
          <h2 id="pricing-title">Pricing</h2>
          <p className="lede">Cancel at any time. Access starts as soon as the payment is through.</p>
        </div>
        <PeriodChoice period={period} onPeriod={setPeriod} />
      </div>
      <div className="plans">
        {cards.map(({ tier, card }) => {
          const plan = paidPlan(tier, period);
          return (
            <PlanCard
              key={tier}
              plan={{ tier, card }}
              isCurrent={member?.tier === tier}
              price={plan ? <PaidPrice plan={plan} offers={offers} /> : FreePrice}
              action={
                plan ? (
                  <PaidAction
                    plan={plan}
                    offers={offers}
                    isPopular={card.isPopular}
                    hasSubscription={member?.hasSubscription ?? false}
                    pending={pending}
                    onChoose={choose}
                  />
                ) : (
                  <a className="btn btn--wide btn--lg" href={member ? '/' : identityRoutes.login}>
                    {member ? 'Go to the dashboard' : 'Start free'}
                  </a>
                )
              }
            />
          );
        })}
      </div>
      <EmailDialog
        plan={asked}
        offers={offers}
        isPending={pending !== null}
        onSubmit={(email) => asked && void start(asked, email)}
        onClose={() => setAsked(null)}
      />
    </section>
  );
};
