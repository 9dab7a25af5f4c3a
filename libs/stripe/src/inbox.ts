import { commandContext, dispatch, type Actor, type Dispatch, type Handle } from '@tapedeck/eventing';
import { commandId, derivedId, DomainError, type Clock, type CommandId } from '@tapedeck/kernel';
import {
  type ReceiveStripeEvent,
  type StripeEventReceived,
  stripeEventStream,
  stripeInbox,
} from './domain/stripe-event.ts';

export { eventOfBody } from './event-body.ts';

type Received = StripeEventReceived['data'];

/** The same for whoever brings the event first. */
const commandIdOf = ({ eventId }: Received): CommandId => commandId(derivedId('stripe event', eventId));

/** For a replay: the command that puts an event of Stripe on its stream, and the command's id. */
export const receivingCommand = (event: Received): Readonly<{ id: CommandId; dispatch: Dispatch }> => ({
  id: commandIdOf(event),
  dispatch: dispatch(stripeInbox, stripeEventStream(event.eventId), { type: 'ReceiveStripeEvent', event }),
});

/**
 * Puts an event of Stripe on its stream, once whoever brings it. Without its body when its buyer was deleted: what
 * happened counts, and to whom is not stored. Returns whether it is new.
 */
export const appendStripeEvent = async (
  receive: Handle<ReceiveStripeEvent>,
  event: Received,
  { actor, clock }: Readonly<{ actor: Actor; clock: Clock }>,
): Promise<boolean> => {
  const append = async (data: Received): Promise<boolean> => {
    const { changed } = await receive(
      stripeEventStream(event.eventId),
      { type: 'ReceiveStripeEvent', event: data },
      commandContext({ actor, clock, commandId: commandIdOf(event) }),
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
