/** Everything that the audit compares between two instants. Times are ISO 8601 UTC, amounts in minor units. */
export type MembershipView = Readonly<{
  tier: string;
  status: string;
  hasAccess: boolean;
  accessUntil: string | null;
  source: string | null;
  features: string[];
  subscriptionId: string | null;
  stripeStatus: string | null;
  plan: string | null;
  paidUntil: string | null;
  graceUntil: string | null;
  endsAt: string | null;
  nextChargeAt: string | null;
  nextChargeAmount: number | null;
  currency: string | null;
  scheduledPlan: string | null;
  complimentary: string | null;
  complimentaryUntil: string | null;
  isDisputed: boolean;
  /** Sums of all subscriptions that the account owns. */
  paid: number;
  refunded: number;
}>;

export type ChangedField = Readonly<{ field: string; before: unknown; after: unknown }>;
