import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import {
  type Effect,
  type EventStore,
  type EventTypes,
  type Projection,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { eventingMigrations, projectionTables } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { startProjector, waitForPosition } from '@tapedeck/eventing/projections';
import { startReactions } from '@tapedeck/eventing/reactions';
import { sampleEvent } from '@tapedeck/eventing/testing';
import { accountId, derivedId, DomainError, systemClock, type JsonObject } from '@tapedeck/kernel';
import { createLogger } from '@tapedeck/platform/log';
import { migrate } from '@tapedeck/platform/migrations';
import {
  asAccount,
  asRoles,
  createTestApp,
  testDatabases,
  type TestDatabases,
} from '@tapedeck/platform/testing';
import { OperationsModule } from '../api.ts';
import { operationsEvents } from '../domain/operations.ts';
import { operationsMigrations, operationsProjections } from '../projections.ts';
import { operationsEffects } from '../reactions.ts';
import { startOperations } from '../run.ts';

export const types: EventTypes = { ...operationsEvents, Noted: { version: 1 } };
export const admin = accountId(derivedId('an admin'));

/** A note with `bad` cannot be projected, nor handled by the effect. */
export const notes: Projection = {
  name: 'notes',
  version: 1,
  database: 'catalogue',
  types: ['Noted'],
  tables: [
    {
      name: 'notes',
      key: ['stream', 'n'],
      columns: { stream: 'text', n: 'integer', text: 'text not null' },
      indexes: ['(text)'],
    },
  ],
  fold: (events) =>
    events.map(({ stream, data }) => {
      if (data['bad'] === true) throw new Error(`cannot fold note ${String(data['n'])} of "${stream}"`);
      return { op: 'put', table: 'notes', key: { stream, n: Number(data['n']) }, row: { text: 'as noted' } };
    }),
};

/** What the effect may do now, and what it has done. */
export type Caller = { isBroken: boolean; readonly calls: string[] };

const callerEffect = (caller: Caller): Effect => ({
  name: 'calls',
  afterReplay: 'run',
  types: ['Noted'],
  run: async ({ stream, data }: RecordedEvent) => {
    if (data['bad'] === true && caller.isBroken)
      throw new DomainError(
        'invalid',
        'NOT_CALLED',
        `No answer to ${String(data['n'])} of ${derivedId(stream, String(data['n']))}.`,
      );
    caller.calls.push(`${stream} ${String(data['n'])}`);
    return [];
  },
});

export type Answer = Readonly<{ status: number; body: unknown }>;

export type OperationsApi = Readonly<{
  databases: TestDatabases;
  store: EventStore;
  caller: Caller;
  /** As an admin, unless `role` is another one. */
  call: (method: string, path: string, body?: unknown, role?: string) => Promise<Answer>;
  note: (stream: string, ...data: readonly JsonObject[]) => Promise<bigint>;
  projected: () => Promise<void>;
  close: () => Promise<void>;
}>;

/** What the projector runs, in this process. */
const startRunning = (databases: TestDatabases, store: EventStore, caller: Caller): (() => Promise<void>) => {
  const stopped = new AbortController();
  const logger = createLogger('test', 'silent');
  const projections = [notes, ...operationsProjections];
  const parts = {
    store,
    databases: databases.pools,
    projections,
    logger,
    signal: stopped.signal,
    leaseMs: 2_000,
  };
  const running = [
    startProjector(parts).stopped,
    startOperations({ ...parts, pool: databases.tapedeck, pollIntervalMs: 20 }),
    startReactions({
      ...parts,
      pool: databases.tapedeck,
      effects: [
        callerEffect(caller),
        ...operationsEffects({ store, databases: databases.pools, projections }),
      ],
    }).stopped,
  ];
  return async () => {
    stopped.abort();
    await Promise.all(running);
  };
};

/** The module behind HTTP, with a projector, on databases of its own. */
export const startOperationsApi = async (): Promise<OperationsApi> => {
  const databases = await testDatabases();
  await migrate(databases.pools, [
    ...eventingMigrations,
    ...projectionTables('test/projections-of-the-catalogue', 'catalogue'),
    ...operationsMigrations,
  ]);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  const store = createPostgresEventStore({ url: databases.urls.tapedeck, types, keys });
  const caller: Caller = { isBroken: true, calls: [] };
  const stop = startRunning(databases, store, caller);
  const categories = Object.fromEntries(
    Object.keys(types).map((type) => [type, type === 'Noted' ? 'notes' : 'operations']),
  );
  const app = await createTestApp({
    modules: [OperationsModule.with({ categories })],
    databases,
    store,
    clock: systemClock,
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  return {
    databases,
    store,
    caller,
    call: async (method, path, body, role = 'admin') => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: {
          [asAccount]: admin,
          [asRoles]: role,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      return { status: answer.status, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
    },
    note: async (stream, ...data) => {
      const result = await store.append(
        stream,
        'ANY',
        data.map((one) => sampleEvent('Noted', one)),
      );
      if (result.outcome !== 'appended') throw new Error(result.outcome);
      return result.position;
    },
    projected: async () => {
      const head = await store.head();
      await waitForPosition(databases.catalogue, notes.name, head, 10_000);
      await waitForPosition(databases.tapedeck, 'operations', head, 10_000);
      await waitForPosition(databases.tapedeck, 'calls', head, 10_000);
    },
    close: async () => {
      await app.close();
      await stop();
      await store.close();
      await databases.drop();
    },
  };
};
