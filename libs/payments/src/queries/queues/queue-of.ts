import type { EventStore, ReadStream } from '@tapedeck/eventing';
import type { AccountNames } from '@tapedeck/platform/http';
import type { StripePages } from '@tapedeck/stripe/pages';
import type pg from 'pg';

export type QueueParts = Readonly<{
  pool: pg.Pool;
  store: EventStore;
  read: ReadStream;
  accounts: AccountNames;
  pageOf: StripePages;
}>;

/** `count`: of all entries, also of those that are not shown. */
export type Counted = Readonly<{ count: string }>;
export type OfSubscription = Counted & Readonly<{ subscription_id: string; account_id: string | null }>;

/** What every entry about a subscription says of it. */
type About = Readonly<{
  subscriptionId: string;
  stripeUrl: string;
  accountId: string | null;
  accountName: string | null;
}>;

export type Queue<Item> = { count: number; items: Item[] };

export const countOf = (rows: readonly Counted[]): number => Number(rows[0]?.count ?? 0);

/** The entries of a queue, with the names of the accounts. */
export const queueOf = async <Row extends OfSubscription, Item>(
  { accounts, pageOf }: QueueParts,
  rows: readonly Row[],
  itemOf: (row: Row, about: About) => Item | Promise<Item>,
): Promise<Queue<Item>> => {
  const owners = rows.flatMap(({ account_id: id }) => (id === null ? [] : [id]));
  const names = await accounts.of([...new Set(owners)]);
  const aboutOf = ({ subscription_id: subscriptionId, account_id: accountId }: Row): About => ({
    subscriptionId,
    stripeUrl: pageOf(subscriptionId),
    accountId,
    accountName: accountId === null ? null : (names.get(accountId) ?? null),
  });
  const items = await Promise.all(rows.map(async (row) => itemOf(row, aboutOf(row))));
  return { count: countOf(rows), items };
};
