import { identityRoutes } from '@tapedeck/identity/contract';
import { billingPeriods, type BillingPeriod, type PaidTier, type Plan } from '@tapedeck/payments/contract';
import { useEffect, useState, type JSX, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { termsPath } from '../../api/site.ts';
import { Icon } from '../../ui/icon.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { annualSaving, planTexts, shownPrice, type PlanOffers } from './plans.ts';
import { useCheckout } from './use-checkout.ts';

type PlanTexts = (typeof planTexts)[number];

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

type PlanCardProps = Readonly<{ texts: PlanTexts; isCurrent: boolean; price: ReactNode; action: ReactNode }>;

const PlanCard = ({ texts, isCurrent, price, action }: PlanCardProps): JSX.Element => (
  <article className={`card plan ${texts.isPopular ? 'plan--popular' : ''}`}>
    <div className="plan-top">
      <h3>{texts.name}</h3>
      {isCurrent ? (
        <span className="badge badge--ok">Your plan</span>
      ) : (
        texts.isPopular && <span className="badge badge--accent">Popular</span>
      )}
    </div>
    <p className="plan-text">{texts.text}</p>
    {price}
    {action}
    <p className="plan-before">{texts.before}</p>
    <ul className="feats">
      {texts.features.map(({ name, isComing }) => (
        <li key={name}>
          <Icon name="check" small />
          <span>
            {name} {isComing && <span className="badge badge--plain">Coming soon</span>}
          </span>
        </li>
      ))}
    </ul>
  </article>
);

const PaidPrice = ({ plan, offers }: Readonly<{ plan: Plan; offers: PlanOffers }>): JSX.Element => {
  const { original, now, after, note } = shownPrice(plan, offers);
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
  const { button, renewal } = shownPrice(plan, offers);
  return (
    <>
      <button
        className={`btn btn--wide btn--lg ${isPopular ? 'btn--primary' : ''}`}
        type="button"
        aria-label={`${plan.tier}: ${button}`}
        aria-describedby={`terms-${plan.tier}`}
        disabled={pending !== null}
        onClick={() => onChoose(plan)}
      >
        {pending?.tier === plan.tier ? 'Processing...' : button}
      </button>
      <p className="hint plan-terms" id={`terms-${plan.tier}`}>
        {renewal} Cancel at any time in My Account; access stays until the end of the paid period.{' '}
        <Link to={termsPath}>Terms of service</Link>
      </p>
    </>
  );
};

const paidPlan = (name: PlanTexts['name'], period: BillingPeriod): Plan | null =>
  name === 'Free' ? null : { tier: name satisfies PaidTier, period };

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
        {planTexts.map((texts) => {
          const plan = paidPlan(texts.name, period);
          return (
            <PlanCard
              key={texts.name}
              texts={texts}
              isCurrent={member?.tier === texts.name}
              price={plan ? <PaidPrice plan={plan} offers={offers} /> : FreePrice}
              action={
                plan ? (
                  <PaidAction
                    plan={plan}
                    offers={offers}
                    isPopular={texts.isPopular}
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
