import { derivedId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { isPlanChange, openRequestOf, requestEvent } from './stripe-requests.ts';
import type { SubscriptionEvent } from './subscription-events.ts';
import { isFinal, type RecordedRequest, type Subscription } from './subscription.ts';

type Replaced = Readonly<{ requestId: string; plan: Plan }>;

/** An upgrade that was not paid leaves what it has replaced; every other change decides what comes next. */
const afterRequest = (
  before: Replaced | undefined,
  [requestId, { write, outcome }]: readonly [string, RecordedRequest],
): Replaced | undefined => {
  if (!isPlanChange(write)) return before;
  if (write.kind !== 'upgrade' || outcome !== 'refused') return undefined;
  return write.replaces ? { requestId, plan: write.replaces } : before && { ...before, requestId };
};

/** The change at the end of the period that upgrades have replaced which were not paid. */
export const replacedByUpgrade = ({ requests }: Pick<Subscription, 'requests'>): Replaced | undefined =>
  Object.entries(requests).reduce<Replaced | undefined>(afterRequest, undefined);

/** Once an upgrade is declined for good, or has lapsed, the change that was scheduled before it is requested again. */
export const restoredDowngrade = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed } = state;
  const replaced = replacedByUpgrade(state);
  if (!replaced || !observed || isFinal(observed) || openRequestOf(state)) return [];
  if (observed.pendingPlan ?? observed.scheduledPlan ?? observed.cancelAt) return [];
  if (observed.cancelAtPeriodEnd) return [];
  const requestId = derivedId('replaced by an upgrade', observed.subscriptionId, replaced.requestId);
  return [requestEvent(state, requestId, { kind: 'downgrade', plan: replaced.plan })];
};
