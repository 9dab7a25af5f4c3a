import type { EventStore } from '@tapedeck/eventing';
import { accountId, type AccountId } from '@tapedeck/kernel';
import { evolve, unknownAccount, type AccountEvent, type RegisteredAccount } from '../domain/account.ts';
import { identityEvents } from '../events.ts';

export type FoundAccount = Readonly<{ id: AccountId; account: RegisteredAccount }>;

const pageEvents = 1_000;

/**
 * The accounts of the tape that `isWanted` accepts. It reads the events of all accounts, which takes a second for some
 * ten thousand of them, and needs neither the projector nor a stored form of e-mail addresses.
 */
export const findAccounts = async (
  store: EventStore,
  isWanted: (account: RegisteredAccount) => boolean,
): Promise<readonly FoundAccount[]> => {
  const states = new Map<AccountId, RegisteredAccount>();
  const end = await store.head();
  for (let after = 0n; after < end;) {
    const page = await store.readTape({ after, limit: pageEvents, types: Object.keys(identityEvents) });
    if (page.position === after) break;
    after = page.position;
    for (const event of page.events) {
      if (event.unreadable !== undefined) continue;
      // The cast is safe: the tape was read for these types only.
      const { type, data } = event as unknown as AccountEvent;
      const id = accountId(data.accountId);
      const state = evolve(states.get(id) ?? unknownAccount, { type, data } as AccountEvent);
      if (state.status === 'registered') states.set(id, state);
      else states.delete(id);
    }
  }
  return [...states].flatMap(([id, account]) => (isWanted(account) ? [{ id, account }] : []));
};
