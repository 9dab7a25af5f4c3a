import { commandTarget, type Decider, isForgotten } from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import {
  type Account,
  type AccountEvent,
  type AccountRole,
  accountSnapshot,
  evolve,
  identityEvents,
  type RegisteredAccount,
  unknownAccount,
} from './account.ts';

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

export type CompleteProfile = Readonly<{
  type: 'CompleteProfile';
  accountId: AccountId;
  discordEmail: string;
  tradingViewUsername: string;
}>;

/** `confirmation` is the account's e-mail address, as the person has typed it. */
export type ForgetAccount = Readonly<{ type: 'ForgetAccount'; accountId: AccountId; confirmation: string }>;

type RoleCommand = Readonly<{ accountId: AccountId; role: AccountRole; reason: string }>;
export type GrantRole = Readonly<{ type: 'GrantRole' }> & RoleCommand;
export type RevokeRole = Readonly<{ type: 'RevokeRole' }> & RoleCommand;

export type AccountCommand = RegisterAccount | CompleteProfile | GrantRole | RevokeRole | ForgetAccount;

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

const forgottenAccount = (): DomainError =>
  new DomainError('forbidden', 'ACCOUNT_FORGOTTEN', 'This account was deleted permanently.');

type ReadableAccount = RegisteredAccount & Readonly<{ email: string }>;

/** @throws DomainError NO_SUCH_ACCOUNT, ACCOUNT_FORGOTTEN */
const assertRegistered = (state: Account): ReadableAccount => {
  if (state.status === 'unknown') {
    throw new DomainError(
      'not-found',
      'NO_SUCH_ACCOUNT',
      'There is no such account: its owner has to sign in once.',
    );
  }
  // A key can be deleted without the event.
  if (state.status === 'forgotten' || isForgotten(state.email)) throw forgottenAccount();
  return { ...state, email: state.email };
};

const register = (command: RegisterAccount, state: Account): readonly AccountEvent[] => {
  const { type: _, ...person } = command;
  const email = validEmail(command.email);
  const { accountId, emailVerified } = command;
  if (state.status === 'unknown') return [{ type: 'AccountRegistered', data: { ...person, email } }];
  const registered = assertRegistered(state);
  if (isSameEmail(registered.email, email) && registered.emailVerified === emailVerified) return [];
  return [{ type: 'EmailChanged', data: { accountId, email, emailVerified } }];
};

const completeProfile = (command: CompleteProfile, state: Account): readonly AccountEvent[] => {
  const { type: _, ...data } = command;
  const { profile } = assertRegistered(state);
  const isSame =
    profile?.discordEmail === data.discordEmail && profile.tradingViewUsername === data.tradingViewUsername;
  return isSame ? [] : [{ type: 'ProfileCompleted', data }];
};

const maxReasonLength = 500;

const roleChange = ({ accountId, role, reason }: RoleCommand): RoleCommand => ({
  accountId,
  role,
  reason: reason.slice(0, maxReasonLength),
});

const grant = (command: GrantRole, state: Account): readonly AccountEvent[] =>
  assertRegistered(state).roles.includes(command.role)
    ? []
    : [{ type: 'RoleGranted', data: roleChange(command) }];

const revoke = (command: RevokeRole, state: Account): readonly AccountEvent[] =>
  assertRegistered(state).roles.includes(command.role)
    ? [{ type: 'RoleRevoked', data: roleChange(command) }]
    : [];

const forget = ({ accountId, confirmation }: ForgetAccount, state: Account): readonly AccountEvent[] => {
  if (state.status === 'forgotten') return [];
  const { email } = assertRegistered(state);
  if (!isSameEmail(confirmation.trim(), email)) {
    throw new DomainError(
      'unprocessable',
      'CONFIRMATION_WRONG',
      'This is not the e-mail address of your account: type it as My Account shows it.',
    );
  }
  return [{ type: 'AccountForgotten', data: { accountId } }];
};

const decide = (command: AccountCommand, state: Account): readonly AccountEvent[] => {
  switch (command.type) {
    case 'RegisterAccount':
      return register(command, state);
    case 'CompleteProfile':
      return completeProfile(command, state);
    case 'GrantRole':
      return grant(command, state);
    case 'RevokeRole':
      return revoke(command, state);
    case 'ForgetAccount':
      return forget(command, state);
    default:
      return command satisfies never;
  }
};

export const accountDecider: Decider<Account, AccountCommand, AccountEvent> = {
  initialState: unknownAccount,
  decide,
  evolve,
  snapshot: accountSnapshot,
};

export const accounts = commandTarget(accountDecider, identityEvents);
