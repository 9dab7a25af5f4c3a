import {
  defineProjection,
  readable,
  type Personal,
  type RecordedEvent,
  type Row,
  type RowChange,
} from '@tapedeck/eventing';
import type { AccountEvent } from '../domain/account.ts';

export type AccountRow = Readonly<{
  account_id: string;
  /** Null once the account's key was deleted. */
  email: string | null;
  email_verified: boolean;
  first_name: string | null;
  last_name: string | null;
  profile_image_url: string | null;
  discord_email: string | null;
  trading_view_username: string | null;
  created_at: Date;
}>;

/** Roles are in a table of their own, which does not wait for the projector. */
type AccountOfPerson = Extract<
  AccountEvent,
  { type: 'AccountRegistered' | 'EmailChanged' | 'ProfileCompleted' }
>;

const emailOf = ({
  email,
  emailVerified,
}: Readonly<{ email: Personal<string>; emailVerified: boolean }>): Row => ({
  email: readable(email, null),
  email_verified: emailVerified,
});

const changeOf = (event: RecordedEvent<AccountOfPerson>): RowChange => {
  const { data, metadata } = event;
  const at = { table: 'accounts', key: { account_id: data.accountId } } as const;
  switch (event.type) {
    case 'AccountRegistered': {
      const { firstName, lastName, profileImageUrl } = event.data;
      const row = {
        ...emailOf(event.data),
        first_name: readable(firstName, null),
        last_name: readable(lastName, null),
        profile_image_url: readable(profileImageUrl, null),
        created_at: metadata.occurredAt,
      };
      return { op: 'put', ...at, row };
    }
    case 'EmailChanged':
      return { op: 'patch', ...at, row: emailOf(event.data) };
    case 'ProfileCompleted': {
      const { discordEmail, tradingViewUsername } = event.data;
      const row = {
        discord_email: readable(discordEmail, null),
        trading_view_username: readable(tradingViewUsername, null),
      };
      return { op: 'patch', ...at, row };
    }
    default:
      return event satisfies never;
  }
};

/** Accounts by id. This table contains personal data in clear; on the tape it is encrypted. */
export const accounts = defineProjection<AccountOfPerson>({
  name: 'accounts',
  version: 2,
  database: 'tapedeck',
  types: { AccountRegistered: true, EmailChanged: true, ProfileCompleted: true },
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
        discord_email: 'text',
        trading_view_username: 'text',
        created_at: 'timestamptz not null',
      },
    },
  ],
  fold: (events) => events.map(changeOf),
});
