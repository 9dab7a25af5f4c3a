import { handle, readStates, type CommandContext, type EventStore } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { StripePort } from '@tapedeck/stripe/port';
import { buyerDecider, buyerEvents, buyers, buyerStream, type BuyerId } from '../domain/buyer.ts';
import {
  checkoutDecider,
  checkoutEvents,
  checkouts,
  checkoutStream,
  type IntentId,
} from '../domain/checkout.ts';
import { introPriceDecider, introPriceEvents, introPriceStream } from '../domain/intro-price.ts';
import { personsOf } from '../queries/intro-price.ts';

/** The context of the commands of one part of a request. */
export type ContextOf = (part: string) => CommandContext;

export type OpenCheckouts = Readonly<{
  /**
   * Notes that the buyer begins a checkout, and ends those before it: only the newest one can be paid.
   * @throws DomainError CHECKOUT_PAID when one of them was paid just now, CHECKOUT_STILL_OPEN when Stripe did not end one
   */
  begin: (intentId: IntentId, buyerIds: readonly BuyerId[], contextOf: ContextOf) => Promise<void>;
  /** Whether no other one was begun since: that one may have found nothing to end. */
  isNewest: (intentId: IntentId, buyerIds: readonly BuyerId[]) => Promise<boolean>;
  /** Ends one that is not paid. `open`: Stripe did not accept it. */
  end: (intentId: IntentId, context: CommandContext) => Promise<'ended' | 'paid' | 'open'>;
}>;

const paidElsewhere = (): DomainError =>
  new DomainError(
    'conflict',
    'CHECKOUT_PAID',
    'You have just paid in another window: look at that purchase first. Nothing more was charged.',
  );

const stillOpen = (): DomainError =>
  new DomainError(
    'conflict',
    'CHECKOUT_STILL_OPEN',
    'Your earlier checkout could not be closed: pay there, or try again in a moment. Nothing was charged.',
  );

export const openCheckouts = (
  store: EventStore,
  stripe: Pick<StripePort, 'expireSession' | 'readSession'>,
): OpenCheckouts => {
  const sendToBuyer = handle(store, buyerDecider, buyerEvents);
  const sendToCheckout = handle(store, checkoutDecider, checkoutEvents);
  const sendToIntroPrice = handle(store, introPriceDecider, introPriceEvents);
  const read = readStates(store);

  const end: OpenCheckouts['end'] = async (intentId, context) => {
    const checkout = await read(checkouts, checkoutStream(intentId));
    if (checkout.status !== 'open' && checkout.status !== 'started') return 'ended';
    if (checkout.status === 'open') {
      const { sessionId } = checkout;
      // Each attempt has a key of its own: Stripe would repeat a refusal for as long as the session is open.
      await stripe.expireSession({ key: `expire-${sessionId}-${context.commandId}`, sessionId });
      // One that was just paid cannot be expired, and one that Stripe does not have cannot be paid.
      const session = await stripe.readSession(sessionId);
      if (session?.status === 'complete') return 'paid';
      if (session?.status === 'open') return 'open';
    }
    await sendToCheckout(checkoutStream(intentId), { type: 'ExpireCheckout' }, context);
    if (!checkout.begun.intro) return 'ended';
    for (const personHash of personsOf(checkout.begun)) {
      const release = { type: 'ReleaseIntroPrice', personHash, intentId } as const;
      await sendToIntroPrice(introPriceStream(personHash), release, context);
    }
    return 'ended';
  };

  return {
    end,
    isNewest: async (intentId, buyerIds) => {
      for (const buyerId of buyerIds) {
        const { open } = await read(buyers, buyerStream(buyerId));
        if (open.at(-1) !== intentId) return false;
      }
      return true;
    },
    begin: async (intentId, buyerIds, contextOf) => {
      for (const buyerId of buyerIds) {
        const stream = buyerStream(buyerId);
        const command = { type: 'OpenBuyerCheckout', buyerId, intentId } as const;
        const { state } = await sendToBuyer(stream, command, contextOf('open checkout'));
        for (const earlier of state.open.filter((each) => each !== intentId)) {
          const context = contextOf(`earlier checkout ${earlier}`);
          const outcome = await end(earlier, context);
          if (outcome === 'paid') throw paidElsewhere();
          if (outcome === 'open') throw stillOpen();
          await sendToBuyer(stream, { type: 'CloseBuyerCheckout', buyerId, intentId: earlier }, context);
        }
      }
    },
  };
};
