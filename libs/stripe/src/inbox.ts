import { commandContext, dispatch, type Actor, type Dispatch, type Handle } from '@tapedeck/eventing';
import { commandId, derivedId, DomainError, type Clock, type CommandId } from '@tapedeck/kernel';
import * as z from 'zod';
import { intentIdIn } from './intent-id.ts';
import {
  customerSubject,
  type ReceiveStripeEvent,
  type StripeEventReceived,
  stripeEventStream,
  stripeInbox,
} from './domain/stripe-event.ts';

type Received = StripeEventReceived['data'];

/** An id, or an expanded object with one. */
const Reference = z
  .union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)])
  .nullish()
  .catch(null);

const Metadata = z.record(z.string(), z.unknown()).nullish().catch(null);

const ObjectOfEvent = z.object({
  id: z.string().nullish().catch(null),
  object: z.string().nullish().catch(null),
  customer: Reference,
  subscription: Reference,
  invoice: Reference,
  charge: Reference,
  payment_intent: Reference,
  client_reference_id: z.string().nullish().catch(null),
  metadata: Metadata,
  parent: z
    .object({
      subscription_details: z.object({ subscription: Reference, metadata: Metadata }).nullish().catch(null),
    })
    .nullish()
    .catch(null),
});

const Body = z.object({
  id: z.string().regex(/^[A-Za-z0-9_]{1,100}$/),
  type: z.string().min(1).max(200),
  api_version: z.string().nullish().catch(null),
  livemode: z.boolean(),
  account: z.string().nullish().catch(null),
  created: z.number().int().min(0).max(253_402_300_799),
  /** Thin events have none. */
  data: z.object({ object: ObjectOfEvent }).nullish().catch(null),
});

/**
 * What the tape stores of an event of Stripe, from the body of its webhook; undefined for what is not an event. Ids are
 * taken from wherever this version and older ones have them.
 */
export const eventOfBody = (body: string): Omit<Received, 'source'> | undefined => {
  const parsed = Body.safeParse(jsonOf(body));
  if (!parsed.success) return undefined;
  const event = parsed.data;
  const object = event.data?.object;
  const kind = object?.object ?? null;
  const own = (name: string): string | null => (kind === name ? (object?.id ?? null) : null);
  const details = object?.parent?.subscription_details;
  const customerId = object?.customer ?? own('customer');
  return {
    eventId: event.id,
    type: event.type,
    apiVersion: event.api_version ?? null,
    livemode: event.livemode,
    account: event.account ?? null,
    createdAt: new Date(event.created * 1_000).toISOString(),
    objectType: kind,
    objectId: object?.id ?? null,
    customerId,
    subscriptionId: object?.subscription ?? details?.subscription ?? own('subscription'),
    invoiceId: object?.invoice ?? own('invoice'),
    chargeId: object?.charge ?? own('charge'),
    paymentIntentId: object?.payment_intent ?? own('payment_intent'),
    checkoutSessionId: own('checkout.session'),
    intentId: intentIdIn(
      object?.client_reference_id,
      object?.metadata?.['intentId'],
      details?.metadata?.['intentId'],
    ),
    body,
    personalSubject:
      customerId === null ? `stripeObject:${object?.id ?? event.id}` : customerSubject(customerId),
  };
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** Derived from the event, so that a webhook and a job that bring the same event send one command. */
const commandIdOf = ({ eventId }: Received): CommandId => commandId(derivedId('stripe event', eventId));

/** For a replay: the command that puts an event of Stripe on its stream, and the command's id. */
export const receivingCommand = (event: Received): Readonly<{ id: CommandId; dispatch: Dispatch }> => ({
  id: commandIdOf(event),
  dispatch: dispatch(stripeInbox, stripeEventStream(event.eventId), { type: 'ReceiveStripeEvent', event }),
});

/**
 * Puts an event of Stripe on its stream, once however often it arrives. Without its body when its buyer was deleted: what
 * happened counts, and the person is not stored. Returns whether it is new.
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
