import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { catalogue } from './engine/catalogue.ts';
import { doDueWork, dueKinds, dueOf, type Due } from './engine/due.ts';
import { createTables, type Change, type Settings, type Tables } from './engine/tables.ts';
import {
  beginTransaction,
  type BillingRules,
  type Faults,
  type RequestInfo,
  type Tx,
} from './engine/transaction.ts';
import { erasureOf } from './journal/erase.ts';
import { noJournal, openJournal, readJournal } from './journal/journal.ts';

export type ServiceOptions = Readonly<{
  now: () => number;
  rules: BillingRules;
  /** Undefined keeps everything in memory. */
  dataFolder: string | undefined;
  webhookUrl: string;
  webhookSecret: string | undefined;
  /** From which all ids are made; a new folder gets its own. */
  seed: string | undefined;
}>;

export type Service = Readonly<{
  tables: Tables;
  faults: Faults;
  nowSeconds: () => number;
  /** All or nothing; on disk when it returns. `forget` removes a customer's person from everything stored. */
  transact: <T>(work: (tx: Tx, forget: (customer: string) => void) => T, request?: RequestInfo) => T;
  /** Reads as in a transaction, and writes nothing. */
  read: <T>(work: (tx: Tx) => T) => T;
  nextDue: (upToSeconds: number) => number | undefined;
  runDueWork: () => void;
  settings: () => Settings;
  /** Both secrets sign until the old one is retired. */
  rotateSecret: (secret?: string) => readonly string[];
  retireSecret: () => readonly string[];
  onCommit: (listener: (changes: readonly Change[]) => void) => void;
  close: () => void;
}>;

const unasked: RequestInfo = { id: null, idempotencyKey: null };
const keptEventSeconds = 30 * 86_400;
const keptAnswerSeconds = 86_400;

const newSecret = (): string => `whsec_${randomBytes(24).toString('base64url').replaceAll(/[-_]/g, 'x')}`;

/** Stripe lists events of 30 days, and keeps answers for a day. */
const isKept = ([kind, , row]: Change, now: number): boolean => {
  if (kind === 'event') return row !== null && row.created > now - keptEventSeconds;
  if (kind === 'answer') return row !== null && row.created > now - keptAnswerSeconds;
  return true;
};

type DueIndex = Readonly<{ follow: (change: Change) => void; at: (upTo: number) => Due | undefined }>;

const createDueIndex = (tables: () => Tables): DueIndex => {
  const index = new Map<string, Due>();
  const follow = (change: Change): void => {
    const [kind, id] = change;
    if (kind === 'ledger') {
      const subscription = tables().get('subscription', id);
      if (subscription) follow(['subscription', id, subscription]);
      return;
    }
    if (!dueKinds.includes(kind)) return;
    const at = dueOf(change, (of) => tables().get('ledger', of));
    if (Number.isFinite(at)) index.set(id, { at, kind, id });
    else index.delete(id);
  };
  const isBefore = (one: Due, other: Due): boolean =>
    one.at < other.at || (one.at === other.at && dueKinds.indexOf(one.kind) < dueKinds.indexOf(other.kind));
  return {
    follow,
    at: (upTo) => {
      let first: Due | undefined;
      for (const due of index.values()) if (due.at <= upTo && (!first || isBefore(due, first))) first = due;
      return first;
    },
  };
};

const seedTables = (tables: Tables, stored: readonly Change[], options: ServiceOptions): void => {
  for (const change of catalogue(options.webhookUrl)) tables.set(change);
  for (const change of stored) tables.set(change);
  const known = tables.get('settings', 'settings');
  const secrets = known?.secrets ?? [options.webhookSecret ?? newSecret()];
  const isCurrent = options.webhookSecret === undefined || secrets.includes(options.webhookSecret);
  const settings: Settings = {
    id: 'settings',
    seed: known?.seed ?? options.seed ?? randomBytes(12).toString('hex'),
    secrets: isCurrent ? secrets : [options.webhookSecret ?? '', ...secrets].slice(0, 2),
  };
  tables.set(['settings', 'settings', settings]);
  const endpoint = tables.get('endpoint', 'we_sandbox');
  // The product may listen on another port than before.
  if (endpoint) tables.set(['endpoint', endpoint.id, { ...endpoint, url: options.webhookUrl }]);
};

const prune = (tables: Tables, now: number): void => {
  for (const change of tables.everything()) {
    if (isKept(change, now)) continue;
    const [kind, id] = change;
    tables.set([kind, id, null] as Change);
    if (kind === 'event') tables.set(['delivery', id, null]);
  }
};

const eraseCustomer = (tables: Tables, tx: Tx, customer: string): void => {
  for (const [kind, , row] of erasureOf(tables, customer)) if (row) tx.put(kind, row);
};

/** The state of the stand-in, its journal, and the work that time brings. */
export const openService = (options: ServiceOptions): Service => {
  const dueIndex = createDueIndex(() => tables);
  const tables: Tables = createTables((change) => dueIndex.follow(change));
  const path = options.dataFolder === undefined ? undefined : join(options.dataFolder, 'stripe.journal');
  const nowSeconds = (): number => Math.floor(options.now() / 1_000);
  seedTables(tables, path === undefined ? [] : readJournal(path), options);
  prune(tables, nowSeconds());
  const journal = path === undefined ? noJournal : openJournal(path, tables.everything());
  const listeners: ((changes: readonly Change[]) => void)[] = [];
  const faults: Faults = { eventsToLose: 0, wrongLivemode: 0, frozenSecond: null };

  const commit = (tx: Tx, forgotten: ReadonlySet<string>): void => {
    const changes = tx.finish();
    try {
      if (forgotten.size === 0) journal.append(changes);
      else {
        for (const customer of forgotten) eraseCustomer(tables, tx, customer);
        journal.rewrite(tables.everything());
      }
    } catch (error) {
      tx.undo();
      throw error;
    }
    for (const listener of listeners) listener(changes);
  };

  const transactAt = <T>(
    now: number,
    request: RequestInfo,
    work: (tx: Tx, forget: (customer: string) => void) => T,
  ): T => {
    const tx = beginTransaction(tables, options.rules, now, request, faults);
    const forgotten = new Set<string>();
    let result: T;
    try {
      result = work(tx, (customer) => forgotten.add(customer));
    } catch (error) {
      tx.undo();
      throw error;
    }
    commit(tx, forgotten);
    return result;
  };

  const settings = (): Settings => {
    const known = tables.get('settings', 'settings');
    if (!known) throw new Error('The settings are written first.');
    return known;
  };
  const setSecrets = (secrets: readonly string[]): readonly string[] => {
    transactAt(nowSeconds(), unasked, (tx) => tx.put('settings', { ...settings(), secrets }));
    return secrets;
  };

  return {
    tables,
    faults,
    nowSeconds,
    transact: (work, request = unasked) => transactAt(nowSeconds(), request, work),
    read: (work) => {
      const tx = beginTransaction(tables, options.rules, nowSeconds(), unasked, faults);
      try {
        return work(tx);
      } finally {
        tx.undo();
      }
    },
    nextDue: (upTo) => dueIndex.at(upTo)?.at,
    runDueWork: () => {
      for (let due = dueIndex.at(nowSeconds()); due; due = dueIndex.at(nowSeconds())) {
        const current = due;
        transactAt(current.at, unasked, (tx) => doDueWork(tx, current));
      }
    },
    settings,
    rotateSecret: (secret) => setSecrets([secret ?? newSecret(), ...settings().secrets].slice(0, 2)),
    retireSecret: () => setSecrets(settings().secrets.slice(0, 1)),
    onCommit: (listener) => listeners.push(listener),
    close: () => journal.close(),
  };
};
