import { readable, readEvents, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import { accountStream, identityEvents, presentEmailIn } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import { checkoutEvents, checkoutStream, type CheckoutStarted } from '../domain/checkout.ts';
import type { Address } from '../domain/billing-address.ts';

type Reads = Readonly<{ store: Pick<EventStore, 'readStream'> }>;

type Checkout = RecordedEvent<CheckoutStarted>['data'];

const checkoutOf = async (
  intentId: string | null | undefined,
  { store }: Reads,
): Promise<Checkout | undefined> => {
  if (!intentId) return undefined;
  const [started] = await readEvents(store, checkoutStream(intentId), checkoutEvents);
  return started?.type === 'CheckoutStarted' ? started.data : undefined;
};

/** The present address of an account; undefined once it is forgotten. */
export const addressOf = async (account: AccountId, { store }: Reads): Promise<string | undefined> =>
  presentEmailIn(await readEvents(store, accountStream(account), identityEvents));

/**
 * Where a letter goes; undefined once the address is forgotten. Receipts go to the address that was typed for them; those of a
 * purchase made while signed in to the account, where it is now.
 */
export const recipientOf = async (
  { of, accountId, intentId }: Address,
  reads: Reads,
): Promise<string | undefined> => {
  const ofAccount = accountId === null ? undefined : await addressOf(accountId, reads);
  if (of === 'buyer' && accountId !== null) return ofAccount;
  const checkout = await checkoutOf(intentId, reads);
  if (of === 'billing' && accountId !== null) {
    // A deleted account gets no mail at all.
    if (ofAccount === undefined || (checkout && checkout.accountId !== null)) return ofAccount;
  }
  return checkout && readable(checkout.email, undefined);
};
