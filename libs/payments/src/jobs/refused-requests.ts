import { dispatch, type Dispatch, type EventStore } from '@tapedeck/eventing';
import { derivedId, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { jobObjects } from '@tapedeck/platform/job-objects';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { subscriptions } from '../domain/decide-subscription.ts';
import { mayPass } from '../domain/refusals.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { QueuedRequestRow } from '../projections/payment-queue-tables.ts';
import { directCommands } from '../recording/direct-commands.ts';

export type RefusedRequestsPorts = Readonly<{
  store: EventStore;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const name = 'stripe-refused-writes';
const intervalMs = 6 * 3_600_000;

const refusedSql = `
  select request_id, subscription_id, code from queued_requests where code is not null order by requested_at`;

type RefusedRow = Pick<QueuedRequestRow, 'request_id' | 'subscription_id' | 'code'>;

const repeating = ({ request_id: repeats, subscription_id: id }: RefusedRow): Dispatch => {
  const requestId = derivedId('repeated stripe write', repeats);
  const command = { type: 'RepeatStripeRequest', requestId, repeats, comment: null } as const;
  return dispatch(subscriptions, subscriptionStream(id), command);
};

/**
 * Repeats refunds, ends, announced prices and restored changes that Stripe has refused for a reason that may have passed, under a new
 * key: Stripe answers an old one with the old refusal. The others wait for a person in the queue. Of one subscription that fails, the
 * rest is repeated all the same.
 */
export const refusedRequests = (ports: RefusedRequestsPorts): Job => ({
  name,
  intervalMs,
  run: async ({ signal }) => {
    const { store, databases, clock } = ports;
    const { tapedeck: pool } = databases;
    const { rows } = await pool.query<RefusedRow>(refusedSql);
    const passing = rows.filter(({ code }) => mayPass(code ?? ''));
    const { send } = directCommands(store, clock);
    const objects = await jobObjects({ ...ports, job: name, pool });
    const ids = passing.map(({ subscription_id }) => subscription_id);
    for (const id of new Set([...(await objects.due()), ...ids])) {
      signal.throwIfAborted();
      const refused = passing.filter(({ subscription_id }) => subscription_id === id);
      await objects.handle(id, () => send(refused.map(repeating)));
    }
  },
});
