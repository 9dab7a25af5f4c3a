import { identityRoutes } from '@tapedeck/identity/contract';
import { paymentRoutes } from '@tapedeck/payments/contract';
import {
  billingPeriods,
  cardLines,
  plans,
  type BillingPeriod,
  type Feature,
  type PaidTier,
  type Tier,
} from '@tapedeck/plans/contract';
import type { JSX } from 'react';
import { termsPath } from '../../../api/site.ts';
import { Icon } from '../../../ui/icon.tsx';
import { shownPrice, type PlanOffers, type ShownPrice } from '../plans.ts';
import { planAttributes, priceAttributes, refusalId } from './plan-choice.ts';

type Card = NonNullable<(typeof plans)[number]['card']>;

const periodNames = { monthly: 'Monthly', annual: 'Annual' } as const;

/** Of what is shown for one period only: the style sheet hides it while the other one is chosen. */
const periodClasses = { monthly: 'on-monthly', annual: 'on-annual' } as const;

const PeriodChoice = (): JSX.Element => (
  <fieldset>
    <legend className="visually-hidden">Billing period</legend>
    <span className="choice">
      {billingPeriods.map((period) => (
        <label key={period}>
          <input
            type="radio"
            name="billing-period"
            id={`period-${period}`}
            value={period}
            defaultChecked={period === 'monthly'}
          />
          {periodNames[period]}
          {period === 'annual' && <span className="badge badge--ok">25% off</span>}
        </label>
      ))}
    </span>
  </fieldset>
);

const Price = ({ price }: Readonly<{ price: ShownPrice }>): JSX.Element => {
  const { original, now, after, note } = price;
  return (
    <>
      <s data-original hidden={original === null}>
        <span className="visually-hidden">Before: </span>
        <span data-before>{original}</span>
      </s>
      <b data-now>{now}</b>
      <span>
        <span data-after>{after}</span>
        {note && (
          <span data-note>
            <br />
            {note}
          </span>
        )}
      </span>
    </>
  );
};

type PaidProps = Readonly<{ tier: PaidTier; period: BillingPeriod; card: Card; price: ShownPrice }>;

const PayButton = ({ tier, period, card, price }: PaidProps): JSX.Element => (
  <button
    className={`btn btn--wide btn--lg plan-pay ${periodClasses[period]} ${card.isPopular ? 'btn--primary' : ''}`}
    type="button"
    aria-describedby={`terms-${tier}-${period}`}
    {...planAttributes({
      tier,
      period,
      button: price.button,
      renewal: price.renewal,
      visitorUrl: paymentRoutes.anonymousCheckout({ tier, period }),
      memberUrl: paymentRoutes.checkout(tier),
    })}
  >
    <span className="visually-hidden">{tier}: </span>
    <span data-label>{price.button}</span>
  </button>
);

const Terms = ({ tier, period, price }: Omit<PaidProps, 'card'>): JSX.Element => (
  <p
    className={`hint plan-terms ${periodClasses[period]}`}
    id={`terms-${tier}-${period}`}
    {...priceAttributes(tier, period)}
  >
    <span data-renewal>{price.renewal}</span> Cancel at any time in My Account; access stays until the end of
    the paid period. <a href={termsPath}>Terms of Service</a>
  </p>
);

type CardProps = Readonly<{
  tier: Tier;
  card: Card;
  offers: PlanOffers;
  /** What members without a plan may use. */
  freeFeatures: readonly Feature[];
}>;

const Features = ({ tier, card, freeFeatures }: Omit<CardProps, 'offers'>): JSX.Element => (
  <>
    <p className="plan-before">{card.before}</p>
    <ul className="feats">
      {cardLines(tier, freeFeatures).map((line) => (
        <li key={line.name}>
          <Icon name="check" small />
          <span>
            {line.name} {line.isComing && <span className="badge badge--plain">Coming soon</span>}
          </span>
        </li>
      ))}
    </ul>
  </>
);

const Head = ({ tier, card }: Pick<CardProps, 'tier' | 'card'>): JSX.Element => (
  <>
    <div className="plan-top">
      <h3>{tier}</h3>
      {card.isPopular && <span className="badge badge--accent plan-popular">Popular</span>}
      <span className="badge badge--ok plan-current">Your plan</span>
    </div>
    <p className="plan-text">{card.text}</p>
  </>
);

const FreeCard = ({ tier, card, freeFeatures }: CardProps): JSX.Element => (
  <article className="card plan" data-plan-of={tier}>
    <Head tier={tier} card={card} />
    <p className="price">
      <b>$0</b>
      <span>for as long as you like</span>
    </p>
    <a className="btn btn--wide btn--lg for-visitors" href={identityRoutes.login}>
      Start free
    </a>
    <a className="btn btn--wide btn--lg for-members" href="/">
      Go to the dashboard
    </a>
    <Features tier={tier} card={card} freeFeatures={freeFeatures} />
  </article>
);

const PaidCard = ({
  tier,
  card,
  offers,
  freeFeatures,
}: CardProps & Readonly<{ tier: PaidTier }>): JSX.Element => {
  const sold = billingPeriods.flatMap((period) => {
    const price = shownPrice({ tier, period }, offers);
    return price ? [{ tier, period, card, price }] : [];
  });
  return (
    <article className={`card plan ${card.isPopular ? 'plan--popular' : ''}`} data-plan-of={tier}>
      <Head tier={tier} card={card} />
      {sold.map(({ period, price }) => (
        <p key={period} className={`price ${periodClasses[period]}`} {...priceAttributes(tier, period)}>
          <Price price={price} />
        </p>
      ))}
      {sold.map((each) => (
        <PayButton key={each.period} {...each} />
      ))}
      <a className="btn btn--wide btn--lg plan-change" href="/?section=my-account">
        Change your plan in My Account
      </a>
      {sold.map((each) => (
        <Terms key={each.period} {...each} />
      ))}
      <Features tier={tier} card={card} freeFeatures={freeFeatures} />
    </article>
  );
};

export type PricingSectionProps = Pick<CardProps, 'offers' | 'freeFeatures'> &
  Readonly<{ hasTaxes: boolean }>;

/**
 * Plans and what the server charges for them, by month and by year. Works without a script, except for paying. A member's own
 * prices are put into it by `landing/member-prices.ts`.
 */
export const PricingSection = ({ offers, freeFeatures, hasTaxes }: PricingSectionProps): JSX.Element => (
  <section className="wrap section pricing" id="pricing" aria-labelledby="pricing-title">
    <div className="pricing-head">
      <div>
        <h2 id="pricing-title">Pricing</h2>
        <p className="lede">Cancel at any time. Access starts as soon as the payment goes through.</p>
        {hasTaxes && (
          <p className="meta">Taxes depend on your address: the checkout shows them before you pay.</p>
        )}
      </div>
      <PeriodChoice />
    </div>
    <noscript>
      <p className="notice">Paying needs JavaScript in your browser.</p>
    </noscript>
    <div className="notice notice--warn" id={refusalId} tabIndex={-1} hidden>
      <Icon name="warn" />
      <div data-refusal />
    </div>
    <div className="plans">
      {plans.map((plan) => {
        if (!plan.card) return null;
        const { tier, card } = plan;
        return plan.prices ? (
          <PaidCard key={tier} tier={plan.tier} card={card} offers={offers} freeFeatures={freeFeatures} />
        ) : (
          <FreeCard key={tier} tier={tier} card={card} offers={offers} freeFeatures={freeFeatures} />
        );
      })}
    </div>
  </section>
);
