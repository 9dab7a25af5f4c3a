import { pendingEvents } from '@tapedeck/eventing/reactions';
import type pg from 'pg';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { stripeRequestsName } from '../effects/stripe-requests.ts';

/** In place of Stripe's code: a replay has caused the request, and Stripe is not asked until a person has it done. */
export const heldCode = 'HELD';

/** Where the held requests are: the ids of the subscriptions, and the versions of the events in their streams. */
export const heldRequests = async (
  pool: pg.Pool,
): Promise<readonly [subscriptions: readonly string[], versions: readonly number[]]> => {
  const held = await pendingEvents(pool, {
    reaction: stripeRequestsName,
    states: ['parked'],
    isHeld: true,
  });
  const prefix = subscriptionStream('').length;
  return [held.map(({ stream }) => stream.slice(prefix)), held.map(({ streamVersion }) => streamVersion)];
};

/** Whether a row `r` of `queued_requests` waits for a person; the parameters are those of `heldRequests`. */
export const waitsSql = `(r.code is not null
    or (r.subscription_id, r.version) in (select * from unnest($1::text[], $2::integer[])))`;
