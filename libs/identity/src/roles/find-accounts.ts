import { typedEvents, type EventStore } from '@tapedeck/eventing';
import { accountId, type AccountId } from '@tapedeck/kernel';
import { evolve, identityEvents, type RegisteredAccount, unknownAccount } from '../domain/account.ts';

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
    for (const event of typedEvents(page.events, identityEvents)) {
      if (event.unreadable !== undefined) continue;
      const id = accountId(event.data.accountId);
      const state = evolve(states.get(id) ?? unknownAccount, event);
      if (state.status === 'registered') states.set(id, state);
      else states.delete(id);
    }
  }
  return [...states].flatMap(([id, account]) => (isWanted(account) ? [{ id, account }] : []));
};
