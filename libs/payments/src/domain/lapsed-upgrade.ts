import { derivedId } from '@tapedeck/kernel';
import type { Plan } from '@tapedeck/plans/contract';
import { abandonedRequests } from './abandoned-requests.ts';
import { isPlanChange, isRestored, mayRestore, requestEvent } from './stripe-requests.ts';
import type { SubscriptionEvent } from './subscription-events.ts';
import { isFinal, type ObservedSnapshot, type RecordedRequest, type Subscription } from './subscription.ts';

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
  if (!replaced || !observed || !mayRestore(state)) return [];
  const { requestId: restores, plan } = replaced;
  const requestId = derivedId('replaced by an upgrade', observed.subscriptionId, restores);
  return [requestEvent(state, requestId, { kind: 'downgrade', plan, restores })];
};

/** Whether something else follows the present period than what was scheduled before the upgrade. */
const goesOnOtherwise = (observed: ObservedSnapshot): boolean =>
  isFinal(observed) || observed.cancelAtPeriodEnd || (observed.scheduledPlan ?? observed.cancelAt) !== null;

/** A refused one that has become pointless: the subscription goes on otherwise, or the member has decided since. */
export const pointlessDowngrades = (state: Subscription): readonly SubscriptionEvent[] => {
  const { observed } = state;
  if (!observed) return [];
  const all = Object.entries(state.requests);
  const isChangedAfter = (index: number): boolean =>
    all.slice(index + 1).some(([, { write, outcome }]) => isPlanChange(write) && outcome === 'completed');
  const pointless = all.filter(
    ([, { write, outcome }], index) =>
      outcome === 'refused' && isRestored(write) && (goesOnOtherwise(observed) || isChangedAfter(index)),
  );
  return abandonedRequests(state, pointless);
};
