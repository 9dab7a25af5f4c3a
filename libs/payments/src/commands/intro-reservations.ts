import {
  type CommandContext,
  type EventStore,
  handle,
  readStates,
  type ReadStream,
} from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import {
  type Checkout,
  checkoutDecider,
  checkoutEvents,
  checkouts,
  type CheckoutStarted,
  checkoutStream,
  type IntentId,
} from '../domain/checkout.ts';
import {
  hasIntroPrice,
  type IntroPrice,
  introPriceDecider,
  introPriceEvents,
  introPrices,
  introPriceStream,
  isTaken,
} from '../domain/intro-price.ts';
import type { StripePort } from '@tapedeck/stripe/port';

type OpenCheckout = Extract<Checkout, { status: 'open' }>;
type Begun = Pick<CheckoutStarted['data'], 'accountId' | 'emailHash' | 'claimSecretHash'>;

export type IntroRequest = Readonly<{
  intentId: IntentId;
  buyer: Begun;
  /** The context of the n-th command that the request sends. */
  contextOf: (part: string) => CommandContext;
}>;

/** Stripe ends a session a day after it was made, and it is made after the reservation. */
const reservationMs = 25 * 3_600_000;

const personsOf = ({ emailHash, accountId }: Pick<Begun, 'emailHash' | 'accountId'>): readonly string[] => [
  emailHash,
  ...(accountId === null ? [] : [accountId]),
];

/** Only the account or the browser that has begun a checkout may end it: an address can be typed by any visitor. */
const isSameBuyer = (begun: Begun, buyer: Begun): boolean =>
  begun.accountId === null
    ? buyer.accountId === null && begun.claimSecretHash === buyer.claimSecretHash
    : begun.accountId === buyer.accountId;

/** Whether a checkout that has reserved the price gives way to a newer one of this buyer. */
const givesWayTo = (checkout: Checkout, buyer: Begun): checkout is OpenCheckout =>
  checkout.status === 'open' && isSameBuyer(checkout.begun, buyer);

/** Whether a checkout that a member begins now would have the introductory price. */
export const wouldHaveIntro = async (
  read: ReadStream,
  member: Readonly<{ accountId: AccountId; emailHash: string }>,
  now: string,
): Promise<boolean> => {
  for (const personHash of personsOf(member)) {
    const state = await read(introPrices, introPriceStream(personHash));
    if (!isTaken(state, now)) continue;
    if (state.usedBy !== null || state.reserved === null) return false;
    const earlier = await read(checkouts, checkoutStream(state.reserved.intentId));
    if (!givesWayTo(earlier, { ...member, claimSecretHash: null })) return false;
  }
  return true;
};

/** Reserves the introductory price for a checkout; false when the buyer has used it, or may still use it elsewhere. */
export type ReserveIntro = (request: IntroRequest) => Promise<boolean>;

/** Once per account and once per address (docs/product-decisions.md#introductory-price): both must be free. */
export const introReservations = (
  store: EventStore,
  stripe: Pick<StripePort, 'expireSession' | 'readSession'>,
): ReserveIntro => {
  const send = handle(store, introPriceDecider, introPriceEvents);
  const sendToCheckout = handle(store, checkoutDecider, checkoutEvents);
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

  /** Whether the checkout can no longer be paid, and is recorded so. */
  const endCheckout = async (checkout: Checkout, { buyer, contextOf }: IntroRequest): Promise<boolean> => {
    if (!givesWayTo(checkout, buyer)) return false;
    const { sessionId, begun } = checkout;
    await stripe.expireSession({ key: `expire-${sessionId}`, sessionId });
    // One that was just paid cannot be expired.
    if ((await stripe.readSession(sessionId))?.status !== 'expired') return false;
    const context = contextOf('earlier checkout');
    await sendToCheckout(checkoutStream(begun.intentId), { type: 'ExpireCheckout' }, context);
    await release(personsOf(begun), begun.intentId, context);
    return true;
  };

  const reserveFor = async (personHash: string, request: IntroRequest): Promise<boolean> => {
    const first = await reserve(personHash, request, 'intro price');
    if (hasIntroPrice(first, request.intentId)) return true;
    if (first.usedBy !== null || first.reserved === null) return false;
    const earlier = await read(checkouts, checkoutStream(first.reserved.intentId));
    if (!(await endCheckout(earlier, request))) return false;
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
