import { isForgotten, type Decider } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { accountSnapshot, evolve, unknownAccount, type Account, type AccountEvent } from './account.ts';

/** A person as the sign-in provider describes them. */
export type Person = Readonly<{
  /** The person's id at the provider. */
  subject: string;
  email: string;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  profileImageUrl: string | null;
}>;

/** Sent at every sign-in. */
export type RegisterAccount = Readonly<{ type: 'RegisterAccount'; accountId: AccountId; issuer: string }> &
  Person;

export type AccountCommand = RegisterAccount;

// Not linear: the length is checked first.
const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;
const maxEmailLength = 254;

const validEmail = (email: string): string => {
  const trimmed = email.trim();
  if (trimmed.length <= maxEmailLength && emailPattern.test(trimmed)) return trimmed;
  throw new DomainError(
    'invalid',
    'SIGN_IN_WITHOUT_EMAIL',
    'Your sign-in provider did not send us a valid e-mail address: allow it to share yours, then sign in again.',
  );
};

/** Upper and lower case do not make another address. */
const isSameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const register = (command: RegisterAccount, state: Account): readonly AccountEvent[] => {
  const { type: _, ...person } = command;
  const email = validEmail(command.email);
  const { accountId, emailVerified } = command;
  if (state.status === 'unknown') return [{ type: 'AccountRegistered', data: { ...person, email } }];
  if (isForgotten(state.email)) {
    throw new DomainError('forbidden', 'ACCOUNT_FORGOTTEN', 'This account was deleted permanently.');
  }
  if (isSameEmail(state.email, email) && state.emailVerified === emailVerified) return [];
  return [{ type: 'EmailChanged', data: { accountId, email, emailVerified } }];
};

export const accountDecider: Decider<Account, AccountCommand, AccountEvent> = {
  initialState: unknownAccount,
  decide: register,
  evolve,
  snapshot: accountSnapshot,
};
