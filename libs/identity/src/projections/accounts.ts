import {
  defineProjection,
  type RecordedEvent,
  type Row,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import type { AccountEvent } from '../domain/account.ts';

export type AccountRow = Readonly<{
  account_id: string;
  email: Sealed<string>;
  email_verified: boolean;
  first_name: Sealed<string | null> | null;
  last_name: Sealed<string | null> | null;
  profile_image_url: Sealed<string | null> | null;
  discord_email: Sealed<string> | null;
  trading_view_username: Sealed<string> | null;
  created_at: Date;
}>;

/** Roles are in a table of their own, which does not wait for the projector. */
type AccountOfPerson = Extract<
  AccountEvent,
  { type: 'AccountRegistered' | 'EmailChanged' | 'ProfileCompleted' | 'AccountForgotten' }
>;

const emailOf = ({
  email,
  emailVerified,
}: Readonly<{ email: Sealed<string>; emailVerified: boolean }>): Row => ({
  email,
  email_verified: emailVerified,
});

const changeOf = (event: RecordedEvent<SealedEvent<AccountOfPerson>>): RowChange => {
  const { data, metadata } = event;
  const at = { table: 'accounts', key: { account_id: data.accountId } } as const;
  switch (event.type) {
    case 'AccountRegistered': {
      const { firstName, lastName, profileImageUrl } = event.data;
      const row = {
        ...emailOf(event.data),
        first_name: firstName,
        last_name: lastName,
        profile_image_url: profileImageUrl,
        created_at: metadata.occurredAt,
      };
      return { op: 'put', ...at, row };
    }
    case 'EmailChanged':
      return { op: 'patch', ...at, row: emailOf(event.data) };
    case 'ProfileCompleted': {
      const { discordEmail, tradingViewUsername } = event.data;
      const row = {
        discord_email: discordEmail,
        trading_view_username: tradingViewUsername,
      };
      return { op: 'patch', ...at, row };
    }
    case 'AccountForgotten':
      return { op: 'remove', ...at };
    default:
      return event satisfies never;
  }
};

/** Accounts by id, with sealed personal data. */
export const accounts = defineProjection<AccountOfPerson>({
  name: 'accounts',
  version: 4,
  database: 'tapedeck',
  types: { AccountRegistered: true, EmailChanged: true, ProfileCompleted: true, AccountForgotten: true },
  tables: [
    {
      name: 'accounts',
      key: ['account_id'],
      columns: {
        account_id: 'uuid not null',
        email: 'text not null',
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
