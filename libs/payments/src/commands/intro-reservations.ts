import { type CommandContext, type EventStore, handle, readStates } from '@tapedeck/eventing';
import { checkouts, checkoutStream, type IntentId } from '../domain/checkout.ts';
import {
  hasIntroPrice,
  type IntroPrice,
  introPriceDecider,
  introPriceEvents,
  introPriceStream,
} from '../domain/intro-price.ts';
import { type Begun, givesWayTo, personsOf } from '../queries/intro-price.ts';
import type { ContextOf, OpenCheckouts } from './open-checkouts.ts';

export type IntroRequest = Readonly<{
  intentId: IntentId;
  buyer: Begun;
  contextOf: ContextOf;
}>;

/** Stripe ends a session a day after it was made, and it is made after the reservation. */
const reservationMs = 25 * 3_600_000;

/** Reserves the introductory price for a checkout; false when the buyer has used it, or may still use it elsewhere. */
export type ReserveIntro = (request: IntroRequest) => Promise<boolean>;

/** Once per account and once per address (docs/product-decisions.md#introductory-price): both must be free. */
export const introReservations = (store: EventStore, { end }: Pick<OpenCheckouts, 'end'>): ReserveIntro => {
  const send = handle(store, introPriceDecider, introPriceEvents);
  const read = readStates(store);

  const reserve = async (
    personHash: string,
    { intentId, contextOf }: IntroRequest,
    part: string,
  ): Promise<IntroPrice> => {
    const context = contextOf(part);
    const until = new Date(Date.parse(context.now) + reservationMs).toISOString();
    const command = { type: 'ReserveIntroPrice', personHash, intentId, until, now: context.now } as const;
    return (await send(introPriceStream(personHash), command, context)).state;
  };

  const release = async (
    persons: readonly string[],
    intentId: IntentId,
    context: CommandContext,
  ): Promise<void> => {
    for (const personHash of persons)
      await send(introPriceStream(personHash), { type: 'ReleaseIntroPrice', personHash, intentId }, context);
  };

  const reserveFor = async (personHash: string, request: IntroRequest): Promise<boolean> => {
    const first = await reserve(personHash, request, 'intro price');
    if (hasIntroPrice(first, request.intentId)) return true;
    if (first.usedBy !== null || first.reserved === null) return false;
    const earlier = await read(checkouts, checkoutStream(first.reserved.intentId));
    if (!givesWayTo(earlier, request.buyer)) return false;
    const { intentId } = earlier.begun;
    if ((await end(intentId, request.contextOf('earlier checkout'))) !== 'ended') return false;
    return hasIntroPrice(await reserve(personHash, request, 'intro price again'), request.intentId);
  };

  return async (request) => {
    const reserved: string[] = [];
    for (const personHash of personsOf(request.buyer)) {
      if (await reserveFor(personHash, request)) reserved.push(personHash);
      else {
        await release(reserved, request.intentId, request.contextOf('intro price release'));
        return false;
      }
    }
    return true;
  };
};
