import { commandContext, type Actor, type Handle } from '@tapedeck/eventing';
import { commandId, derivedId, DomainError, type Clock } from '@tapedeck/kernel';
import type { ReceiveStripeEvent } from '../domain/stripe-event.ts';
import { stripeEventStream, type StripeEventReceived } from '../events.ts';

/**
 * Puts an event of Stripe on its stream, once whoever brings it. Without its body when its buyer was deleted: what
 * happened counts, and to whom is not stored. Returns whether it is new.
 */
export const appendStripeEvent = async (
  receive: Handle<ReceiveStripeEvent>,
  event: StripeEventReceived['data'],
  { actor, clock }: Readonly<{ actor: Actor; clock: Clock }>,
): Promise<boolean> => {
  const append = async (data: StripeEventReceived['data']): Promise<boolean> => {
    const { changed } = await receive(
      stripeEventStream(event.eventId),
      { type: 'ReceiveStripeEvent', event: data },
      commandContext({ actor, clock, commandId: commandId(derivedId('stripe event', event.eventId)) }),
      // Nearly every event is new: reading its stream first would find nothing.
      { history: [] },
    );
    return changed;
  };
  try {
    return await append(event);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== 'ACCOUNT_FORGOTTEN') throw error;
    return append({ ...event, body: null });
  }
};
