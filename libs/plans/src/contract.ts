/** What a plan lets its members use. */
export const features = ['explorer', 'sourceCode', 'csvExport', 'favourites'] as const;
export type Feature = (typeof features)[number];

/** As a sentence names it. */
const featureNames: Readonly<Record<Feature, string>> = {
  explorer: 'the Strategy Explorer',
  sourceCode: 'the source code of strategies',
  csvExport: 'the CSV export',
  favourites: 'favourites',
};

export const billingPeriods = ['monthly', 'annual'] as const;
export type BillingPeriod = (typeof billingPeriods)[number];

/** That of every amount here, unless the prices are configured. */
export const catalogueCurrency = 'usd';

/** Amounts are in minor units. */
type Price = Readonly<{
  /** What is charged unless it is configured. */
  amount: number;
  /** Of the first month, for a first purchase; null for a price without one. */
  introAmount: number | null;
  /** Struck through beside the price. */
  original: number | null;
  note: string | null;
}>;

/** What a plan adds to the one before it. */
export type CardLine = Readonly<{
  name: string;
  /** What of the product it describes; absent where only the extension has it. */
  feature?: Feature;
  isComing?: true;
}>;

/** What the pricing section says besides the price. */
type Card = Readonly<{
  text: string;
  isPopular: boolean;
  before: string;
  /** As advertised: what is listed follows from them (`cardLines`). */
  lines: readonly CardLine[];
}>;

type PlanDefinition = Readonly<{
  tier: string;
  /** Null for a tier that is not sold. */
  prices: Readonly<Record<BillingPeriod, Price>> | null;
  /** As advertised; `ENTITLEMENTS=open` gives some of them to everybody. */
  features: readonly Feature[];
  /** Null for a tier that only a grant gives. */
  card: Card | null;
  /** The colour of the badge. */
  badge: 'grey' | 'blue' | 'amber' | 'purple';
}>;

/** Every plan, from the lowest rank to the highest: a member with two has the later one. */
export const plans = [
  {
    tier: 'Free',
    prices: null,
    features: [],
    badge: 'grey',
    card: {
      text: 'To learn what your strategy depends on.',
      isPopular: false,
      before: 'Includes',
      lines: [
        { name: 'Unlimited optimizations' },
        { name: 'Multiple timeframes' },
        { name: 'One parameter' },
        { name: 'Adjustable backtest speed' },
        { name: 'Historical results' },
        { name: 'Community access' },
      ],
    },
  },
  { tier: 'Basic', prices: null, features: ['csvExport'], badge: 'blue', card: null },
  {
    tier: 'Pro',
    prices: {
      monthly: { amount: 999, introAmount: 499, original: 999, note: null },
      annual: { amount: 7_499, introAmount: null, original: 11_988, note: 'save 25%' },
    },
    features: ['csvExport', 'favourites'],
    badge: 'amber',
    card: {
      text: 'To search every setting at once.',
      isPopular: true,
      before: 'Everything in Free, and',
      lines: [
        { name: 'Unlimited symbols' },
        { name: 'Unlimited parameters' },
        { name: 'CSV export', feature: 'csvExport' },
        { name: 'Favorites', feature: 'favourites' },
        { name: 'Community member roles' },
      ],
    },
  },
  {
    tier: 'Elite',
    prices: {
      monthly: { amount: 1_999, introAmount: null, original: null, note: '$49.99 in 2026' },
      annual: { amount: 17_999, introAmount: null, original: 23_988, note: 'save 25%' },
    },
    features: ['explorer', 'sourceCode', 'csvExport', 'favourites'],
    badge: 'purple',
    card: {
      text: 'To start from what others have tested.',
      isPopular: false,
      before: 'Everything in Pro, and',
      lines: [
        { name: 'New strategies' },
        { name: 'Member strategies' },
        { name: 'Member optimization results' },
        { name: 'Strategy Explorer (5000+)', feature: 'explorer' },
        { name: 'Strategy source code', feature: 'sourceCode' },
        { name: 'Trading bots', isComing: true },
      ],
    },
  },
] as const satisfies readonly PlanDefinition[];

type Definition = (typeof plans)[number];
type Sold = Extract<Definition, { prices: object }>;

export type Tier = Definition['tier'];
/** What everybody has. */
export type FreeTier = 'Free';
export type PaidTier = Sold['tier'];
export type GrantedTier = Exclude<Tier, FreeTier>;

/** From the lowest rank to the highest. */
export const tiers: readonly Tier[] = plans.map(({ tier }) => tier);
const isSold = (plan: Definition): plan is Sold => plan.prices !== null;
const sold: readonly Sold[] = plans.filter(isSold);
export const paidTiers: readonly PaidTier[] = sold.map(({ tier }) => tier);
export const grantedTiers: readonly GrantedTier[] = tiers.filter((tier) => tier !== 'Free');

/** A tier for a period, as it is bought. */
export type Plan = Readonly<{ tier: PaidTier; period: BillingPeriod }>;

/** Everything that can be bought. */
export const paidPlans: readonly Plan[] = paidTiers.flatMap((tier) =>
  billingPeriods.map((period) => ({ tier, period })),
);

/** @throws Error for a tier that is in no catalogue: the types exclude it, stored data may not. */
const found = <T>(plan: T | undefined, tier: string): T => {
  if (plan === undefined) throw new Error(`There is no plan ${tier}.`);
  return plan;
};

export const planOf = (tier: Tier): PlanDefinition =>
  found<PlanDefinition>(
    plans.find((plan) => plan.tier === tier),
    tier,
  );

/** The price as the catalogue has it; what is charged may be configured. */
export const priceOf = ({ tier, period }: Plan): Price =>
  found(
    sold.find((plan) => plan.tier === tier),
    tier,
  ).prices[period];

/** A higher tier has a higher number. */
export const rankOf = (tier: Tier): number => tiers.indexOf(tier);

type PlanKey = `${Lowercase<PaidTier>}_${BillingPeriod}`;

/** A plan as one word, in settings and at Stripe: `pro_monthly`. */
export const planKey = ({ tier, period }: Plan): PlanKey =>
  // What the type says of `toLowerCase`.
  `${tier.toLowerCase() as Lowercase<PaidTier>}_${period}`;

/** Undefined for a word that names no plan. */
export const planOfKey = (key: string): Plan | undefined => paidPlans.find((plan) => planKey(plan) === key);

export const isSamePlan = (a: Plan, b: Plan): boolean => a.tier === b.tier && a.period === b.period;

/**
 * An upgrade takes effect at once and is charged at once; a downgrade takes effect at the end of the period. A lower tier
 * or a shorter period makes it a downgrade.
 */
export const changeKind = (from: Plan, to: Plan): 'none' | 'upgrade' | 'downgrade' => {
  if (isSamePlan(from, to)) return 'none';
  const isLower =
    rankOf(to.tier) < rankOf(from.tier) ||
    billingPeriods.indexOf(to.period) < billingPeriods.indexOf(from.period);
  return isLower ? 'downgrade' : 'upgrade';
};

/** Which of the tiers that are sold have a feature, in words: `Pro or Elite`. */
export const tiersWith = (feature: Feature): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(
    paidTiers.filter((tier) => planOf(tier).features.includes(feature)),
  );

/** For a member whose plan does not include a feature. */
export const missingFeatureText = (feature: Feature): string =>
  `Your plan does not include ${featureNames[feature]}: upgrade to ${tiersWith(feature)}.`;

const isIn = (features: readonly Feature[], { feature }: CardLine): boolean =>
  feature !== undefined && features.includes(feature);

/**
 * What the card of a tier lists: what it adds where members without a plan may use `freeFeatures`. These are listed
 * for Free, and not for a plan that would add nothing by them.
 */
export const cardLines = (tier: Tier, freeFeatures: readonly Feature[]): readonly CardLine[] => {
  const linesOf = ({ card }: PlanDefinition): readonly CardLine[] => card?.lines ?? [];
  if (tier !== 'Free') return linesOf(planOf(tier)).filter((line) => !isIn(freeFeatures, line));
  const others = plans.filter((plan) => plan.tier !== tier).flatMap(linesOf);
  return [...linesOf(planOf(tier)), ...others.filter((line) => isIn(freeFeatures, line))];
};

/** The tier that is recommended. */
export const popularTier: PaidTier = found(
  sold.find(({ card }) => card.isPopular),
  'that is popular',
).tier;

/** The colour of a tier's badge; that of the lowest for a tier that is in no catalogue any more. */
export const badgeOf = (tier: string): PlanDefinition['badge'] =>
  plans.find((plan) => plan.tier === tier)?.badge ?? 'grey';
