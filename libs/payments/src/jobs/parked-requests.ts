import { dispatch, isEventOf, readEvents, type Dispatch, type EventStore } from '@tapedeck/eventing';
import { pendingEvents, type PendingEventView } from '@tapedeck/eventing/reactions';
import { isoNow, type Clock } from '@tapedeck/kernel';
import { retryEvents } from '@tapedeck/operations/commands';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import type { Job } from '@tapedeck/platform/schedule';
import { isTriedUntilDone } from '../domain/stripe-requests.ts';
import { subscriptionEvents, type StripeWriteRequested } from '../domain/subscription-events.ts';
import { subscriptions } from '../domain/decide-subscription.ts';
import { observeSubscription } from '../recording/observe-subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';
import { directCommands, type DirectCommands } from '../recording/direct-commands.ts';
import type { StripeReads } from '@tapedeck/stripe/port';
import { stripeRequestsName } from '../effects/stripe-requests.ts';

export type ParkedRequestsPorts = Readonly<{
  stripe: Pick<StripeReads, 'readSubscription'>;
  unclaimedRefundDays: number;
  store: EventStore;
  databases: Databases;
  clock: Clock;
  logger: Logger;
}>;

const intervalMs = 5 * 60_000;

const isRequest = isEventOf(subscriptionEvents, 'StripeWriteRequested');

const requestOf = async (
  { stream, streamVersion }: PendingEventView,
  { store }: ParkedRequestsPorts,
): Promise<StripeWriteRequested['data'] | undefined> => {
  const events = await readEvents(store, stream, subscriptionEvents);
  return events.filter(isRequest).find(({ version }) => version === streamVersion)?.data;
};

const retried = ({ position }: PendingEventView): Dispatch =>
  retryEvents(stripeRequestsName, [position], 'parked-write');

/** Records the subscription as it is now, and by that whether the change was made. The retried event then changes nothing. */
const resolve = async (
  { subscriptionId, requestId }: StripeWriteRequested['data'],
  parked: PendingEventView,
  { read, send }: DirectCommands,
  { stripe, unclaimedRefundDays, clock }: ParkedRequestsPorts,
): Promise<void> => {
  const snapshot = await observeSubscription(stripe, read, subscriptionId, 'newest');
  const options = { unclaimedRefundDays, isSweep: false, now: isoNow(clock) };
  const recorded = snapshot ? await recordSnapshot(snapshot, read, options) : [];
  const resolved = dispatch(subscriptions, parked.stream, { type: 'ResolveStripeRequest', requestId });
  await send([...recorded, resolved, retried(parked)]);
};

/**
 * Resolves requests to Stripe that have failed so often that they are parked. A change that a member wanted is not made
 * hours later: its outcome is what Stripe has now. What gives money back is tried again until it is done. What a replay has
 * caused waits for a person.
 */
export const parkedRequests = (ports: ParkedRequestsPorts): Job => ({
  name: 'stripe-parked-writes',
  intervalMs,
  run: async ({ signal }) => {
    const { databases, store, clock, logger } = ports;
    const all = await pendingEvents(databases.tapedeck, {
      reaction: stripeRequestsName,
      states: ['parked'],
      isHeld: false,
    });
    for (const parked of all) {
      if (signal.aborted) return;
      const request = await requestOf(parked, ports);
      logger.warn({ stream: parked.stream, error: parked.error }, 'a change at Stripe was parked');
      const commands = directCommands(store, clock);
      if (request && !isTriedUntilDone(request.write)) await resolve(request, parked, commands, ports);
      else await commands.send([retried(parked)]);
    }
  },
});
