import {
  defineEvents,
  readable,
  type DomainEvent,
  type Personal,
  type SnapshotForm,
} from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';

export type AccountRegistered = DomainEvent<
  'AccountRegistered',
  {
    accountId: AccountId;
    /** The name of the sign-in provider, not its address. */
    issuer: string;
    /** The person's id at that provider. */
    subject: Personal<string>;
    email: Personal<string>;
    emailVerified: boolean;
    firstName: Personal<string | null>;
    lastName: Personal<string | null>;
    profileImageUrl: Personal<string | null>;
  }
>;

/** At sign-in the provider gave another address, or another answer to whether it is verified. */
export type EmailChanged = DomainEvent<
  'EmailChanged',
  { accountId: AccountId; email: Personal<string>; emailVerified: boolean }
>;

/** What a person states about themselves, each time as a whole. */
export type ProfileCompleted = DomainEvent<
  'ProfileCompleted',
  { accountId: AccountId; discordEmail: Personal<string>; tradingViewUsername: Personal<string> }
>;

/** What an account may do beyond a member's rights. */
export type AccountRole = 'support' | 'admin';

/** The reason may name the person, so it is personal. */
type RoleChange = { accountId: AccountId; role: AccountRole; reason: Personal<string> };

export type RoleGranted = DomainEvent<'RoleGranted', RoleChange>;
export type RoleRevoked = DomainEvent<'RoleRevoked', RoleChange>;

/** The person has deleted the account; its key is deleted then. */
export type AccountForgotten = DomainEvent<'AccountForgotten', { accountId: AccountId }>;

export type AccountEvent =
  | AccountRegistered
  | EmailChanged
  | ProfileCompleted
  | RoleGranted
  | RoleRevoked
  | AccountForgotten;

export const identityEvents = defineEvents<AccountEvent>({
  AccountRegistered: {
    version: 1,
    personal: ['subject', 'email', 'firstName', 'lastName', 'profileImageUrl'],
    subject: 'accountId',
  },
  EmailChanged: { version: 1, personal: ['email'], subject: 'accountId' },
  ProfileCompleted: { version: 1, personal: ['discordEmail', 'tradingViewUsername'], subject: 'accountId' },
  RoleGranted: { version: 1, personal: ['reason'], subject: 'accountId' },
  RoleRevoked: { version: 1, personal: ['reason'], subject: 'accountId' },
  AccountForgotten: { version: 1 },
});

export const accountStream = (account: AccountId): string => `account-${account}`;

/** The present address, by the events of the account's stream; undefined once it is forgotten. */
export const presentEmailIn = (events: readonly AccountEvent[]): string | undefined => {
  const newest = events.findLast(({ type }) => type === 'AccountRegistered' || type === 'EmailChanged');
  return newest && 'email' in newest.data ? readable(newest.data.email, undefined) : undefined;
};

export type RegisteredAccount = Readonly<{
  status: 'registered';
  email: Personal<string>;
  emailVerified: boolean;
  profile: Omit<ProfileCompleted['data'], 'accountId'> | null;
  /** In the order of the alphabet. */
  roles: readonly AccountRole[];
  /** How often they have changed. */
  roleChanges: number;
}>;

export type Account = Readonly<{ status: 'unknown' }> | Readonly<{ status: 'forgotten' }> | RegisteredAccount;

export const unknownAccount: Account = { status: 'unknown' };

const newAccount = { profile: null, roles: [], roleChanges: 0 } as const;

const withRoles = (state: Account, change: (roles: Set<AccountRole>) => void): Account => {
  if (state.status !== 'registered') return state;
  const roles = new Set(state.roles);
  change(roles);
  return { ...state, roles: [...roles].sort(), roleChanges: state.roleChanges + 1 };
};

export const evolve = (state: Account, event: AccountEvent): Account => {
  if (state.status === 'forgotten') return state;
  switch (event.type) {
    case 'AccountRegistered':
    case 'EmailChanged': {
      const { email, emailVerified } = event.data;
      const before = state.status === 'registered' ? state : newAccount;
      return { ...before, status: 'registered', email, emailVerified };
    }
    case 'ProfileCompleted': {
      const { accountId: _, ...profile } = event.data;
      return state.status === 'registered' ? { ...state, profile } : state;
    }
    case 'RoleGranted':
      return withRoles(state, (roles) => roles.add(event.data.role));
    case 'RoleRevoked':
      return withRoles(state, (roles) => roles.delete(event.data.role));
    case 'AccountForgotten':
      return { status: 'forgotten' };
    default:
      return event satisfies never;
  }
};

export const accountSnapshot: SnapshotForm<Account> = {
  version: 2,
  toEntries: (state) => [state],
  fromEntries: ([state]) => state as Account,
  subjectOf: (stream) => stream.slice('account-'.length),
};
