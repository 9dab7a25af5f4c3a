import { setImmediate } from 'node:timers/promises';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import { foldText, wordsOf } from '@tapedeck/search-engine/catalogue';
import type pg from 'pg';
import type { PersonRow, PurchaseRow } from '../projections/people-rows.ts';

export type FoundBy = Readonly<{ id: string; matched: 'email' | 'name' }>;

export type DirectoryMatches = Readonly<{
  /** Account ids. */
  members: readonly FoundBy[];
  /** Subscription ids. */
  purchases: readonly FoundBy[];
}>;

/** E-mail addresses and names in the memory of this process: no database can search what is encrypted. */
export type PeopleDirectory = Readonly<{
  /** With all that the read model has now. The closest matches are first. */
  search: (text: string) => Promise<DirectoryMatches>;
  /** How many people it contains. */
  size: () => number;
}>;

export const PEOPLE_DIRECTORY = Symbol('PeopleDirectory');

export type DirectoryOptions = Readonly<{
  pool: pg.Pool;
  store: Pick<EventStore, 'unseal'>;
  /** After this time without a search nothing is kept in memory. */
  idleMs?: number;
}>;

/** Folded; the names with a blank before each word. */
type Entry = Readonly<{ email: string; names: string }>;

type Table = { readonly entries: Map<string, Entry>; position: string };
type Directory = Readonly<{ epoch: string; members: Table; purchases: Table }>;

/** Few enough that decrypting them delays no other request. */
const pageRows = 500;
const defaultIdleMs = 60 * 60 * 1_000;

/** Changes when rows may change that are not the last ones: events were replayed, or another version is live. */
const epochSql = `
  select version || '/' || parking_changes as epoch from projection_checkpoints
   where projection = 'audit_timeline' and status = 'live'`;

const peopleSql = `
  select account_id, email, first_name, last_name, is_deleted, changed_position
    from audit_people where changed_position > $1 order by changed_position limit ${pageRows}`;

const purchasesSql = `
  select p.subscription_id, b.email, p.is_claimable, p.changed_position
    from audit_purchases p left join audit_buyers b using (intent_id)
   where p.changed_position > $1 order by p.changed_position limit ${pageRows}`;

type Changed = Readonly<{ id: string; entry: Entry | null; position: string }>;
type ReadChanged = (after: string) => Promise<readonly Changed[]>;

const namesOf = (first: string | null, last: string | null): string =>
  wordsOf(`${first ?? ''} ${last ?? ''}`)
    .map((word) => ` ${word}`)
    .join('');

const entryOf = (email: string | null, names: string): Entry | null =>
  email === null ? null : { email: foldText(email), names };

const readPeople =
  ({ pool, store }: DirectoryOptions): ReadChanged =>
  async (after) => {
    const { rows } = await pool.query<PersonRow>(peopleSql, [after]);
    const opened = await unsealRows(store, rows, ['email', 'first_name', 'last_name']);
    return opened.map((row) => ({
      id: row.account_id,
      position: row.changed_position,
      entry: entryOf(
        readable(row.email, null),
        namesOf(readable(row.first_name, null), readable(row.last_name, null)),
      ),
    }));
  };

const readPurchases =
  ({ pool, store }: DirectoryOptions): ReadChanged =>
  async (after) => {
    const { rows } = await pool.query<PurchaseRow>(purchasesSql, [after]);
    const opened = await unsealRows(store, rows, ['email']);
    return opened.map((row) => ({
      id: row.subscription_id,
      position: row.changed_position,
      entry: row.is_claimable ? entryOf(readable(row.email, null), '') : null,
    }));
  };

/** Reads what has changed; each row has the position of its last change. */
const follow = async (table: Table, read: ReadChanged): Promise<void> => {
  for (;;) {
    const changed = await read(table.position);
    for (const { id, entry, position } of changed) {
      if (entry) table.entries.set(id, entry);
      else table.entries.delete(id);
      table.position = position;
    }
    if (changed.length < pageRows) return;
    await setImmediate();
  }
};

const emptyTable = (): Table => ({ entries: new Map(), position: '0' });
const emptyDirectory = (epoch: string): Directory => ({
  epoch,
  members: emptyTable(),
  purchases: emptyTable(),
});

type Match = FoundBy & Readonly<{ rank: number; email: string }>;

const matchIn = (text: string, words: readonly string[], { email, names }: Entry): number => {
  if (email === text) return 0;
  if (email.startsWith(text)) return 1;
  if (email.includes(text)) return 2;
  return words.length > 0 && words.every((word) => names.includes(` ${word}`)) ? 3 : -1;
};

const compare = (a: Match, b: Match): number => a.rank - b.rank || (a.email < b.email ? -1 : 1);

const matchesOf = ({ entries }: Table, query: string): readonly FoundBy[] => {
  const text = foldText(query.trim());
  const words = wordsOf(query);
  const found: Match[] = [];
  for (const [id, entry] of entries) {
    const rank = matchIn(text, words, entry);
    if (rank >= 0) found.push({ id, rank, email: entry.email, matched: rank === 3 ? 'name' : 'email' });
  }
  return found.sort(compare).map(({ id, matched }) => ({ id, matched }));
};

export const createPeopleDirectory = (options: DirectoryOptions): PeopleDirectory => {
  const { pool, idleMs = defaultIdleMs } = options;
  let directory = emptyDirectory('');
  let following: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  const clear = (): void => {
    clearTimeout(timer);
    directory = emptyDirectory('');
  };
  const catchUp = async (): Promise<Directory> => {
    const { rows } = await pool.query<{ epoch: string }>(epochSql);
    const epoch = rows[0]?.epoch ?? '';
    const current = directory.epoch === epoch ? directory : emptyDirectory(epoch);
    directory = current;
    await follow(current.members, readPeople(options));
    await follow(current.purchases, readPurchases(options));
    return current;
  };
  return {
    search: async (text) => {
      const caughtUp = following.then(catchUp, catchUp);
      following = caughtUp;
      const { members, purchases } = await caughtUp;
      clearTimeout(timer);
      timer = setTimeout(clear, idleMs).unref();
      return { members: matchesOf(members, text), purchases: matchesOf(purchases, text) };
    },
    size: () => directory.members.entries.size + directory.purchases.entries.size,
  };
};
