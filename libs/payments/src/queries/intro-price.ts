import type { ReadStream } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { type Checkout, checkouts, type CheckoutStarted, checkoutStream } from '../domain/checkout.ts';
import { introPrices, introPriceStream, isTaken } from '../domain/intro-price.ts';

type OpenCheckout = Extract<Checkout, { status: 'open' }>;
export type Begun = Pick<CheckoutStarted['data'], 'accountId' | 'emailHash' | 'claimSecretHash'>;

/** The identities of a buyer that have the price once each. */
export const personsOf = ({
  emailHash,
  accountId,
}: Pick<Begun, 'emailHash' | 'accountId'>): readonly string[] => [
  emailHash,
  ...(accountId === null ? [] : [accountId]),
];

/** Only the account or the browser that has begun a checkout may end it: an address can be typed by any visitor. */
const isSameBuyer = (begun: Begun, buyer: Begun): boolean =>
  begun.accountId === null
    ? buyer.accountId === null && begun.claimSecretHash === buyer.claimSecretHash
    : begun.accountId === buyer.accountId;

/** Whether a checkout that has reserved the price gives way to a newer one of this buyer. */
export const givesWayTo = (checkout: Checkout, buyer: Begun): checkout is OpenCheckout =>
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
