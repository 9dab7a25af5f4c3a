import { dispatch, type EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { jobObjects } from '@tapedeck/platform/job-objects';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { subscriptions } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { directCommands } from '../recording/direct-commands.ts';

export type MoneyFindingsPorts = Readonly<{
  store: EventStore;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const hourMs = 3_600_000;
const name = 'money-and-access';

/**
 * Subscriptions whose books may disagree: more than `reconcile` finds, and never less. What is found already is looked at
 * again, and so is every refund that did not arrive.
 */
const suspectsSql = `
  with paid as (
    select p.subscription_id, max(p.period_end) as until
      from payments p
      left join (select invoice_id, sum(amount) as amount from refunds
                  where status in ('pending', 'succeeded') group by invoice_id) r using (invoice_id)
     where p.amount = 0 or p.amount > coalesce(r.amount, 0)
     group by p.subscription_id),
  granted as (
    select subscription_id, bool_or(phase in ('active', 'past-due', 'suspended')) as has_access,
           bool_or(phase = 'active') as is_active
      from entitlements group by subscription_id)
  select c.subscription_id
    from subscription_customers c left join paid using (subscription_id) left join granted using (subscription_id)
   where (not coalesce(granted.has_access, false)
          and (paid.until > $1 or c.stripe_status in ('active', 'past_due', 'unpaid', 'trialing')))
      or (coalesce(granted.is_active, false) and coalesce(paid.until < $1, true))
  union
  select subscription_id from refunds where status in ('failed', 'canceled')
  union
  select subscription_id from queued_findings
   order by subscription_id`;

/**
 * Compares ledger, entitlements and what Stripe has said last, as the sweep of all subscriptions has left them: what
 * disagrees, and waits for nobody, comes into the queue of money and access.
 */
export const moneyFindings = (ports: MoneyFindingsPorts): Job => ({
  name,
  intervalMs: 6 * hourMs,
  run: async ({ now, signal }) => {
    const { store, databases, clock } = ports;
    const { tapedeck: pool } = databases;
    const { send } = directCommands(store, clock);
    const { rows } = await pool.query<{ subscription_id: string }>(suspectsSql, [now]);
    const objects = await jobObjects({ ...ports, job: name, pool });
    const suspects = rows.map(({ subscription_id }) => subscription_id);
    for (const id of new Set([...(await objects.due()), ...suspects])) {
      signal.throwIfAborted();
      const command = { type: 'CheckMoney', now: isoNow(clock) } as const;
      await objects.handle(id, () => send([dispatch(subscriptions, subscriptionStream(id), command)]));
    }
  },
});
