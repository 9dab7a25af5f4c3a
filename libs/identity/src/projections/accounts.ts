import { defineProjection, readable, type RecordedEvent, type RowChange } from '@tapedeck/eventing';
import type { AccountEvent } from '../domain/account.ts';

export type AccountRow = Readonly<{
  account_id: string;
  /** Null once the account's key was deleted. */
  email: string | null;
  email_verified: boolean;
  first_name: string | null;
  last_name: string | null;
  profile_image_url: string | null;
  created_at: Date;
}>;

/** Roles are in a table of their own, which does not wait for the projector. */
type AccountOfPerson = Extract<AccountEvent, { type: 'AccountRegistered' | 'EmailChanged' }>;

const changeOf = ({ type, data, metadata }: RecordedEvent<AccountOfPerson>): RowChange => {
  const at = { table: 'accounts', key: { account_id: data.accountId } } as const;
  const email = { email: readable(data.email, null), email_verified: data.emailVerified };
  switch (type) {
    case 'AccountRegistered':
      return {
        op: 'put',
        ...at,
        row: {
          ...email,
          first_name: readable(data.firstName, null),
          last_name: readable(data.lastName, null),
          profile_image_url: readable(data.profileImageUrl, null),
          created_at: metadata.occurredAt,
        },
      };
    case 'EmailChanged':
      return { op: 'patch', ...at, row: email };
    default:
      return type satisfies never;
  }
};

/** Accounts by id. This table contains personal data in clear; on the tape it is encrypted. */
export const accounts = defineProjection<AccountOfPerson>({
  name: 'accounts',
  version: 1,
  database: 'tapedeck',
  types: { AccountRegistered: true, EmailChanged: true },
  tables: [
    {
      name: 'accounts',
      key: ['account_id'],
      columns: {
        account_id: 'uuid not null',
        email: 'text',
        email_verified: 'boolean not null',
        first_name: 'text',
        last_name: 'text',
        profile_image_url: 'text',
        created_at: 'timestamptz not null',
      },
    },
  ],
  fold: (events) => events.map(changeOf),
});
