import { stateAfter } from '@tapedeck/eventing';
import { accountId, derivedId } from '@tapedeck/kernel';
import { type SubscriptionCommand, subscriptionDecider } from '../domain/decide-subscription.ts';
import type { ClaimPurchase } from '../domain/claim-purchase.ts';
import type { Entitlement, StripeRequest, SubscriptionEvent } from '../domain/subscription-events.ts';
import { day, elite, intentId, pro, snapshot, record } from './snapshots.ts';

export const ann = accountId(derivedId('ann'));
export const bob = accountId(derivedId('bob'));
export const byAnn = { intentId, accountId: ann, plan: pro };
export const byMail = { intentId, accountId: null, plan: pro };

/** The events after the commands, from the first one of the stream on. */
export const after = (...commands: readonly SubscriptionCommand[]): readonly SubscriptionEvent[] =>
  commands.reduce<readonly SubscriptionEvent[]>(
    (events, command) => [
      ...events,
      ...subscriptionDecider.decide(command, stateAfter(subscriptionDecider, events)),
    ],
    [],
  );
export const typesAfter = (...commands: readonly SubscriptionCommand[]): readonly string[] =>
  after(...commands).map(({ type }) => type);
export const entitlementAfter = (...commands: readonly SubscriptionCommand[]): Entitlement | undefined =>
  after(...commands)
    .filter((event) => event.type === 'EntitlementChanged')
    .at(-1)?.data;
export const requestsAfter = (...commands: readonly SubscriptionCommand[]): readonly StripeRequest[] =>
  after(...commands)
    .filter((event) => event.type === 'StripeWriteRequested')
    .map(({ data }) => data.write);
export const claim = (account = ann): ClaimPurchase => ({
  type: 'ClaimPurchase',
  accountId: account,
  intentId,
  plan: pro,
  proof: 'mailbox',
  emailHash: 'h',
  isOwnAddress: true,
  hasOtherSubscription: false,
  now: day('01-02'),
});
export const request = (
  wanted: StripeRequest,
  by = ann,
  requestId: string = wanted.kind,
): SubscriptionCommand => ({
  type: 'RequestStripeChange',
  requestId,
  request: wanted,
  comment: null,
  by,
});
export const bought = record(snapshot(), byAnn);
export const upgrade = {
  kind: 'upgrade',
  plan: elite,
  prorationDate: day('01-05'),
  expectedAmount: 900,
} as const;
