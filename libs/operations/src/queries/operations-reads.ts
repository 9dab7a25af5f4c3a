import type { EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { AccountNames } from '@tapedeck/platform/http';
import type pg from 'pg';

/** What the queries of this module read. */
export type OperationsReads = Readonly<{
  store: EventStore;
  clock: Clock;
  accounts: AccountNames;
  databases: Readonly<Record<string, pg.Pool>> & Readonly<{ tapedeck: pg.Pool }>;
  /** The module that each event type belongs to. */
  categories: Readonly<Record<string, string>>;
}>;

/** Nest token of `OperationsReads`. */
export const OPERATIONS_READS = Symbol('OperationsReads');
