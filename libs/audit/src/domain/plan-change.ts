import type { RecordedMembershipEvent } from './history.ts';
import type { Links } from './links.ts';

export type RecordedChange = RecordedMembershipEvent;
type TierChange = Extract<RecordedChange, { type: 'TierChanged' }>;

/** A change of the plan that an answer rests on. */
export type PlanChange = Readonly<{
  event: TierChange;
  /**
   * `payment`: the newest payment is for it. `renewal`: the plan changed with the paid period. `earlier`: the paid period
   * began after it. `itself`: within the paid period, without a payment.
   */
  by: 'payment' | 'renewal' | 'earlier' | 'itself';
}>;

const isTierChange = (event: RecordedChange): event is TierChange => event.type === 'TierChanged';

const entitlementOf = (event: RecordedChange | undefined): number | undefined =>
  event && 'entitlementVersion' in event.data ? event.data.entitlementVersion : undefined;

/** Whether the payment became known after the period had begun, and is for the new plan. */
const isFor = (
  payment: Links['payment'],
  { data: { tier, period } }: TierChange,
  periodChange: RecordedChange | undefined,
): boolean =>
  payment?.data.plan?.tier === tier &&
  payment.data.plan.period === period &&
  payment.version > (entitlementOf(periodChange) ?? 0);

/**
 * How the last change of the plan came about, among the events that an answer rests on; undefined without one.
 *
 * @param periodChange The event that has set the paid period.
 * @param payment The payment of that period.
 */
export const planChangeIn = (
  decisive: readonly RecordedChange[],
  periodChange: RecordedChange | undefined,
  payment: Links['payment'],
): PlanChange | undefined => {
  const event = decisive.findLast(isTierChange);
  if (!event) return undefined;
  const version = entitlementOf(event);
  if (version !== undefined && version === entitlementOf(periodChange)) return { event, by: 'renewal' };
  if (periodChange && event.position < periodChange.position) return { event, by: 'earlier' };
  return { event, by: isFor(payment, event, periodChange) ? 'payment' : 'itself' };
};
