import { defineProjection, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import { type CheckoutEvent, checkoutEvents } from '../domain/checkout.ts';
import type { BillingPeriod, PaidTier } from '@tapedeck/plans/contract';

export type CheckoutStatus = 'started' | 'open' | 'paid' | 'refused' | 'expired';

export type CheckoutRow = Readonly<{
  intent_id: string;
  status: CheckoutStatus;
  account_id: string | null;
  email_hash: string;
  claim_secret_hash: string | null;
  tier: PaidTier;
  period: BillingPeriod;
  session_id: string | null;
  subscription_id: string | null;
  started_at: Date;
}>;

const table = 'checkouts';

const changeOf = ({ type, data, metadata }: RecordedEvent<CheckoutEvent>): RowChange => {
  const at = { table, key: { intent_id: data.intentId } } as const;
  switch (type) {
    case 'CheckoutStarted':
      return {
        op: 'put',
        ...at,
        row: {
          status: 'started',
          account_id: data.accountId,
          email_hash: data.emailHash,
          claim_secret_hash: data.claimSecretHash,
          tier: data.tier,
          period: data.period,
          started_at: metadata.occurredAt,
        },
      };
    case 'CheckoutSessionOpened':
      return { op: 'patch', ...at, row: { status: 'open', session_id: data.sessionId } };
    case 'CheckoutPaid':
      return {
        op: 'patch',
        ...at,
        row: { status: 'paid', session_id: data.sessionId, subscription_id: data.subscriptionId },
      };
    case 'CheckoutRefused':
      return {
        op: 'patch',
        ...at,
        row: { status: 'refused', session_id: data.sessionId, subscription_id: data.subscriptionId },
      };
    case 'CheckoutExpired':
      return { op: 'patch', ...at, row: { status: 'expired' } };
    default:
      return type satisfies never;
  }
};

/** Intentions to buy, by session and by buyer. */
export const checkouts = defineProjection<CheckoutEvent>({
  name: 'checkouts',
  version: 1,
  database: 'tapedeck',
  replay: { isSource: true, compares: { checkouts: 'Checkout' } },
  types: checkoutEvents,
  tables: [
    {
      name: table,
      key: ['intent_id'],
      columns: {
        intent_id: 'uuid not null',
        status: 'text not null',
        account_id: 'uuid',
        email_hash: 'text not null',
        claim_secret_hash: 'text',
        tier: 'text not null',
        period: 'text not null',
        session_id: 'text',
        subscription_id: 'text',
        started_at: 'timestamptz not null',
      },
      indexes: ['(session_id)', '(account_id)', '(email_hash)', '(claim_secret_hash)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
