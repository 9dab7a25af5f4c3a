import 'reflect-metadata';
import { membershipSettings } from '@tapedeck/membership/settings';
import { stripeSettings } from '@tapedeck/stripe/settings';
import { randomBytes } from 'node:crypto';
import type { EventStore, EventTypes } from '@tapedeck/eventing';
import { eventingMigrations } from '@tapedeck/eventing/migrations';
import { createPersonalDataKeys, createPostgresEventStore } from '@tapedeck/eventing/postgres';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { sampleEvent } from '@tapedeck/eventing/testing';
import { favouriteEvents } from '@tapedeck/favourites/events';
import { identityEvents, sentMailEvents } from '@tapedeck/identity/events';
import { accountId, derivedId, fixedClock, newId, type AccountId, type JsonObject } from '@tapedeck/kernel';
import { membershipEvents } from '@tapedeck/membership/events';
import { paymentEvents } from '@tapedeck/payments/events';
import { migrate } from '@tapedeck/platform/migrations';
import {
  asAccount,
  asRoles,
  createTestApp,
  testDatabases,
  type TestDatabases,
} from '@tapedeck/platform/testing';
import { replayEvents } from '@tapedeck/replay/events';
import { savedSearchEvents } from '@tapedeck/saved-searches/events';
import { stripeEvents } from '@tapedeck/stripe/events';
import { AuditModule } from '../api.ts';
import { auditEvents } from '../domain/audit.ts';
import { auditProjections } from '../projections.ts';
import { registered } from './random-members.ts';

export const supporter = accountId(derivedId('somebody of support'));

export type Answer = Readonly<{ status: number; text: string; body: unknown; headers: Headers }>;

/** The module behind HTTP, on a tape that a test writes. */
export type AuditApi = Readonly<{
  url: string;
  databases: TestDatabases;
  store: EventStore;
  clock: ReturnType<typeof fixedClock>;
  /** As somebody of support. */
  call: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** Appends one event; returns its position. */
  add: (stream: string, type: string, data: JsonObject, given?: AddedMetadata) => Promise<string>;
  /** Registers an account; returns its id. */
  register: (email: string, name?: readonly [string, string]) => Promise<AccountId>;
  project: () => Promise<void>;
  /** The same behind another address, with a memory of its own. */
  another: () => Promise<AuditApi>;
  close: () => Promise<void>;
}>;

type AddedMetadata = Readonly<{
  id?: string;
  occurredAt?: string;
  causationId?: string;
  correlationId?: string;
}>;

export const types: EventTypes = {
  ...identityEvents,
  ...sentMailEvents,
  ...membershipEvents,
  ...stripeEvents,
  ...paymentEvents,
  ...replayEvents,
  ...favouriteEvents,
  ...savedSearchEvents,
  ...auditEvents,
};

const asSupporter = { [asAccount]: supporter, [asRoles]: 'support' };

type Parts = Pick<AuditApi, 'databases' | 'store' | 'clock' | 'project'>;

const openParts = async (): Promise<Parts> => {
  const databases = await testDatabases();
  await migrate(databases.pools, eventingMigrations);
  const keys = createPersonalDataKeys({ pool: databases.tapedeck, masterKey: randomBytes(32) });
  const store = createPostgresEventStore({ url: databases.urls.tapedeck, types, keys });
  const project = (): Promise<void> =>
    projectToEnd({ store, projections: auditProjections, databases: databases.pools });
  await project();
  return { databases, store, project, clock: fixedClock(Date.parse('2026-11-22T12:00:00Z')) };
};

/** The tape and the database end with the first one. */
const startOn = async (parts: Parts, closeParts: () => Promise<void>): Promise<AuditApi> => {
  const { databases, store, clock } = parts;
  const app = await createTestApp({
    modules: [AuditModule],
    settings: { ...membershipSettings, ...stripeSettings },
    databases,
    store,
    clock,
    config: { ENTITLEMENTS: 'advertised' },
  });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();

  const add: AuditApi['add'] = async (stream, type, data, { id, ...metadata } = {}) => {
    const event = sampleEvent(type, data, id === undefined ? {} : { id });
    const result = await store.append(stream, 'ANY', [
      { ...event, metadata: { ...event.metadata, ...metadata } },
    ]);
    if (result.outcome !== 'appended') throw new Error(`The event was not appended: ${result.outcome}`);
    return String(result.position);
  };

  return {
    url,
    ...parts,
    add,
    another: () => startOn(parts, async () => undefined),
    call: async (method, path, body, headers = {}) => {
      const answer = await fetch(`${url}${path}`, {
        method,
        headers: { ...asSupporter, ...(body ? { 'content-type': 'application/json' } : {}), ...headers },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      const text = await answer.text();
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
      const parsed: unknown = isJson && !path.includes('export') ? JSON.parse(text) : undefined;
      return { status: answer.status, text, body: parsed, headers: answer.headers };
    },
    register: async (email, [firstName, lastName] = ['Ada', 'Lovelace']) => {
      const account = accountId(newId());
      const { stream, type, data } = registered(account, email);
      await add(stream, type, { ...data, firstName, lastName });
      return account;
    },
    close: async () => {
      await app.close();
      await closeParts();
    },
  };
};

export const startAuditApi = async (): Promise<AuditApi> => {
  const parts = await openParts();
  return startOn(parts, async () => {
    await parts.store.close();
    await parts.databases.drop();
  });
};
