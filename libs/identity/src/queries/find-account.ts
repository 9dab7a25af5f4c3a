import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import { storedTable } from '@tapedeck/eventing/projections';
import type { AccountId } from '@tapedeck/kernel';
import type pg from 'pg';
import { accountStream } from '../domain/account.ts';
import { accounts, type AccountRow } from '../projections/accounts.ts';

/** Of this version: until it is live, the accounts that it does not have yet are read from their streams. */
const read = `
  select account_id, email, email_verified, first_name, last_name, profile_image_url,
         discord_email, trading_view_username, created_at
    from ${storedTable(accounts, 'accounts')}
   where account_id = $1`;

const undefinedTable = '42P01';

const storedRow = async (accountId: AccountId, pool: pg.Pool): Promise<AccountRow | undefined> => {
  try {
    const { rows } = await pool.query<AccountRow>(read, [accountId]);
    return rows[0];
  } catch (error) {
    // The projector has not created the table yet.
    if ((error as { code?: string }).code === undefinedTable) return undefined;
    throw error;
  }
};

/** The row that the projection will write: an account exists from its first event on. */
const foldedRow = async (accountId: AccountId, store: EventStore): Promise<AccountRow | undefined> => {
  const all = await store.readStream(accountStream(accountId), { form: 'sealed' });
  const events = all.filter(({ type }) => accounts.types.includes(type));
  if (events.length === 0 || events.some(({ type }) => type === 'AccountForgotten')) return undefined;
  const columns = accounts.fold(events).map((change) => (change.op === 'remove' ? {} : change.row));
  const none = { account_id: accountId, discord_email: null, trading_view_username: null };
  return Object.assign(none, ...columns) as AccountRow;
};

export type FoundAccount = Readonly<{
  id: string;
  /** Null once the account's key was deleted. */
  email: string | null;
  emailVerified: boolean;
  firstName: string | null;
  lastName: string | null;
  profileImageUrl: string | null;
  discordEmail: string | null;
  tradingViewUsername: string | null;
  createdAt: Date;
}>;

const personal = [
  'email',
  'first_name',
  'last_name',
  'profile_image_url',
  'discord_email',
  'trading_view_username',
] as const;

/** The account's row, folded from its stream while the read model does not have it yet; undefined for an unknown id. */
export const findAccount = async (
  accountId: AccountId,
  pool: pg.Pool,
  store: EventStore,
): Promise<FoundAccount | undefined> => {
  const sealed = (await storedRow(accountId, pool)) ?? (await foldedRow(accountId, store));
  const [row] = await unsealRows(store, sealed ? [sealed] : [], personal);
  return (
    row && {
      id: row.account_id,
      email: readable(row.email, null),
      emailVerified: row.email_verified,
      firstName: readable(row.first_name, null),
      lastName: readable(row.last_name, null),
      profileImageUrl: readable(row.profile_image_url, null),
      discordEmail: readable(row.discord_email, null),
      tradingViewUsername: readable(row.trading_view_username, null),
      createdAt: new Date(row.created_at),
    }
  );
};
