import type { DomainEvent, Personal, SnapshotForm } from '@tapedeck/eventing';
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

export type AccountEvent = AccountRegistered | EmailChanged;

export type Account =
  | Readonly<{ status: 'unknown' }>
  | Readonly<{ status: 'registered'; email: Personal<string>; emailVerified: boolean }>;

export const unknownAccount: Account = { status: 'unknown' };

export const evolve = (_state: Account, event: AccountEvent): Account => {
  switch (event.type) {
    case 'AccountRegistered':
    case 'EmailChanged':
      return { status: 'registered', email: event.data.email, emailVerified: event.data.emailVerified };
    default:
      return event satisfies never;
  }
};

export const accountSnapshot: SnapshotForm<Account> = {
  version: 1,
  toEntries: (state) => [state],
  fromEntries: ([state]) => state as Account,
  subjectOf: (stream) => stream.slice('account-'.length),
};
