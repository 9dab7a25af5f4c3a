import { createHash } from 'node:crypto';
import type Stripe from 'stripe';
import { missing } from './failure.ts';
import type { EventType, StripeEvent } from './objects.ts';
import type { Change, Kind, Rows, Tables } from './tables.ts';

export const apiVersion: Stripe.LatestApiVersion = '2026-10-28.endive';

export type RequestInfo = Readonly<{ id: string | null; idempotencyKey: string | null }>;

/** How the account is configured. */
export type BillingRules = Readonly<{
  /** Days after the first failed payment of an invoice on which it is tried again. */
  retryDays: readonly number[];
  /** What happens to a subscription when the last attempt has failed. */
  afterRetries: 'cancel' | 'unpaid';
  publicUrl: string;
}>;

/** All reads and writes of one change. Rows are values: a change puts a new row. */
export type Tx = Readonly<{
  /** Whole seconds. */
  now: number;
  rules: BillingRules;
  get: Tables['get'];
  all: Tables['all'];
  related: Tables['related'];
  require: <K extends Kind>(kind: K, id: string, param?: string) => Rows[K];
  put: <K extends Kind>(kind: K, row: Rows[K] & { readonly id: string }) => void;
  remove: (kind: Kind, id: string) => void;
  newId: (prefix: string) => string;
  emit: (type: EventType, object: object, previous?: object) => void;
  /** Orders the events of this change; ranks that are equal keep their order. */
  orderEvents: (rank: (type: EventType) => number) => void;
  /** Of the previous writes, so that a failed change leaves no trace. */
  undo: () => void;
  /** Gives the events their ids; returns what the journal gets. */
  finish: () => readonly Change[];
}>;

type Draft = Readonly<{ type: EventType; object: object; previous?: object }>;

const nouns: Partial<Record<Kind, string>> = {
  payment_method: 'PaymentMethod',
  session: 'checkout.session',
  schedule: 'subscription schedule',
  portal_session: 'billing_portal.session',
  portal_configuration: 'billing_portal.configuration',
  endpoint: 'webhook endpoint',
};

const idOf = (seed: string, prefix: string, value: number): string =>
  `${prefix}_${createHash('sha256')
    .update(`${seed} ${prefix} ${value}`)
    .digest('base64url')
    .replaceAll(/[-_]/g, 'x')
    .slice(0, prefix === 'cs_test' ? 40 : 24)}`;

export type Faults = { eventsToLose: number; wrongLivemode: number; frozenSecond: number | null };

const eventOf = (tx: Tx, draft: Draft, request: RequestInfo, faults: Faults): StripeEvent => {
  const livemode = faults.wrongLivemode > 0;
  if (livemode) faults.wrongLivemode -= 1;
  return {
    id: tx.newId('evt'),
    object: 'event',
    api_version: apiVersion,
    created: faults.frozenSecond ?? tx.now,
    data: {
      object: draft.object,
      ...(draft.previous === undefined ? {} : { previous_attributes: draft.previous }),
    },
    livemode,
    pending_webhooks: 1,
    request: { id: request.id, idempotency_key: request.idempotencyKey },
    type: draft.type,
  };
};

export const beginTransaction = (
  tables: Tables,
  rules: BillingRules,
  now: number,
  request: RequestInfo,
  faults: Faults,
): Tx => {
  const before: Change[] = [];
  const changes: Change[] = [];
  let drafts: Draft[] = [];
  const write = (change: Change): void => {
    const [kind, id] = change;
    before.push([kind, id, tables.get(kind, id) ?? null] as Change);
    changes.push(change);
    tables.set(change);
  };
  const tx: Tx = {
    now,
    rules,
    get: tables.get,
    all: tables.all,
    related: tables.related,
    require: (kind, id, param) => {
      const row = tables.get(kind, id);
      if (row === undefined) throw missing(nouns[kind] ?? kind.replaceAll('_', ' '), id, param);
      return row;
    },
    put: (kind, row) => write([kind, row.id, row] as unknown as Change),
    remove: (kind, id) => write([kind, id, null] as Change),
    newId: (prefix) => {
      const value = (tables.get('counter', prefix)?.value ?? 0) + 1;
      write(['counter', prefix, { id: prefix, value }]);
      return idOf(tables.get('settings', 'settings')?.seed ?? '', prefix, value);
    },
    emit: (type, object, previous) => {
      drafts.push({ type, object, ...(previous === undefined ? {} : { previous }) });
    },
    orderEvents: (rank) => {
      drafts = drafts.toSorted((one, other) => rank(one.type) - rank(other.type));
    },
    undo: () => {
      for (const change of before.toReversed()) tables.set(change);
    },
    finish: () => {
      for (const draft of drafts) {
        if (faults.eventsToLose > 0) {
          faults.eventsToLose -= 1;
          continue;
        }
        const event = eventOf(tx, draft, request, faults);
        tx.put('event', event);
        tx.put('delivery', { id: event.id, state: 'waiting', attempts: [], nextAt: now });
      }
      return changes;
    },
  };
  return tx;
};

/** The former values of the fields that differ. */
export const previousOf = (before: object, after: object): object => {
  const old = before as Readonly<Record<string, unknown>>;
  const entries = Object.entries(after).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(old[key]),
  );
  return Object.fromEntries(entries.map(([key]) => [key, old[key] ?? null]));
};

/** Puts the changed row, and emits the event when something has changed. */
export const change = <K extends Kind>(
  tx: Tx,
  kind: K,
  row: Rows[K] & { readonly id: string },
  patch: Partial<Rows[K]>,
  type: EventType,
): Rows[K] & { readonly id: string } => {
  const after = { ...row, ...patch };
  const previous = previousOf(row, after);
  if (Object.keys(previous).length === 0) return row;
  tx.put(kind, after);
  tx.emit(type, after, previous);
  return after;
};
