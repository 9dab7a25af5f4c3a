import { isForgotten, type Decider } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { evolve, unknownAccount, type Account, type AccountEvent } from './account.ts';

/** What a sign-in provider says of a person, at every sign-in anew. */
export type RegisterAccount = Readonly<{
  type: 'RegisterAccount';
  accountId: AccountId;
  issuer: string;
  subject: string;
  email: string;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  profileImageUrl: string | null;
}>;

export type AccountCommand = RegisterAccount;

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const longestEmail = 254;

const mustBeEmail = (email: string): string => {
  const kept = email.trim();
  if (kept.length <= longestEmail && emailPattern.test(kept)) return kept;
  throw new DomainError(
    'invalid',
    'SIGN_IN_WITHOUT_EMAIL',
    'Your sign-in provider did not tell us a usable e-mail address: allow it to, and sign in again.',
  );
};

/** Upper and lower case do not make another address. */
const sameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const register = (command: RegisterAccount, state: Account): readonly AccountEvent[] => {
  const { type: _, ...person } = command;
  const email = mustBeEmail(command.email);
  const { accountId, emailVerified } = command;
  if (state.status === 'unknown') return [{ type: 'AccountRegistered', data: { ...person, email } }];
  if (isForgotten(state.email)) {
    throw new DomainError('forbidden', 'ACCOUNT_FORGOTTEN', 'This account was deleted for good.');
  }
  if (sameEmail(state.email, email) && state.emailVerified === emailVerified) return [];
  return [{ type: 'EmailChanged', data: { accountId, email, emailVerified } }];
};

export const accountDecider: Decider<Account, AccountCommand, AccountEvent> = {
  initialState: unknownAccount,
  decide: register,
  evolve,
};
