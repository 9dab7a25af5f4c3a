import { dispatch, type EventStore } from '@tapedeck/eventing';
import { derivedId, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Job } from '@tapedeck/platform/schedule';
import { subscriptions } from '../domain/decide-subscription.ts';
import { mayPass } from '../domain/refusals.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { QueuedRequestRow } from '../projections/payment-queue-tables.ts';
import { directCommands } from '../recording/direct-commands.ts';

export type RefusedRequestsPorts = Readonly<{ store: EventStore; databases: Databases; clock: Clock }>;

const intervalMs = 6 * 3_600_000;

const refusedSql = `
  select request_id, subscription_id, code from queued_requests where code is not null order by requested_at`;

type RefusedRow = Pick<QueuedRequestRow, 'request_id' | 'subscription_id' | 'code'>;

/**
 * Repeats refunds, ends, announced prices and restored changes that Stripe has refused for a reason that may have passed, under a new key:
 * Stripe answers an old one with the old refusal. The others wait for a person in the queue.
 */
export const refusedRequests = ({ store, databases, clock }: RefusedRequestsPorts): Job => ({
  name: 'stripe-refused-writes',
  intervalMs,
  run: async ({ signal }) => {
    const { rows } = await databases.tapedeck.query<RefusedRow>(refusedSql);
    const { send } = directCommands(store, clock);
    for (const { request_id: repeats, subscription_id: id } of rows.filter(({ code }) =>
      mayPass(code ?? ''),
    )) {
      signal.throwIfAborted();
      const requestId = derivedId('repeated stripe write', repeats);
      const command = { type: 'RepeatStripeRequest', requestId, repeats, comment: null } as const;
      await send([dispatch(subscriptions, subscriptionStream(id), command)]);
    }
  },
});
