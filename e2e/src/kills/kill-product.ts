import { expect } from '@jest/globals';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { newId, systemClock } from '@tapedeck/kernel';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { memberAt, type Person } from '../api/payments/buyers.ts';
import { assertSettled } from '../api/payments/payments-product.ts';
import {
  changeRole,
  startRealProcesses,
  type ProcessName,
  type RealProcesses,
} from '../api/payments/real-processes.ts';
import { startRoleServer } from '../api/roles/role-server.ts';

/** The API and the projector as they are shipped, each with its own role in the databases. */
export type KillProduct = RealProcesses;

export const startKillProduct = async (): Promise<KillProduct> => {
  const server = await startRoleServer();
  await server.create('tapedeck', 'catalogue');
  await server.migrate();
  const envOf = (name: ProcessName): Readonly<Record<string, string>> => ({
    DATABASE_URL: server.urlAs(name, 'tapedeck'),
    CATALOGUE_DATABASE_URL: server.urlAs(name, 'catalogue'),
    CONSOLE_READ_DATABASE_URL: server.urlAs('console_ro', 'catalogue'),
    CONSOLE_WRITE_DATABASE_URL: server.urlAs('console_rw', 'catalogue'),
  });
  const product = await startRealProcesses({ envOf });
  return {
    ...product,
    close: async () => {
      await product.close();
      await server.dispose();
    },
  };
};

/** Somebody who has a role, signed in. */
export const staffAt = async (
  product: KillProduct,
  role: 'admin' | 'support',
  email: string,
): Promise<Person> => {
  await memberAt(product, email);
  await changeRole(product, ['grant', role, email]);
  // The role ended the first session.
  return memberAt(product, email);
};

/** Waits until nothing is under way, and nothing waits: what an effect has appended was handled as well. */
export const untilIdle = ({ product }: KillProduct): Promise<void> =>
  eventually(async () => {
    expect(await pendingEvents(product.databases.tapedeck)).toEqual([]);
    await assertSettled(product);
  }, 60_000);

/** The address of somebody new. */
export const newEmail = (): string => `${newId()}@example.com`;

export const rowsOf = async <Row extends object>(
  { product }: KillProduct,
  sql: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> => (await product.databases.tapedeck.query<Row>(sql, [...values])).rows;

/** The position of the last event. */
export const headOf = async ({ product }: KillProduct): Promise<string> => String(await product.store.head());

export type Counts = Readonly<Record<string, number>>;

/** How many events of each type are behind the position. */
export const eventsAfter = async (product: KillProduct, position: string): Promise<Counts> => {
  const sql =
    'select type, count(*)::int as count from tape_events where position > $1 group by 1 order by 1';
  const rows = await rowsOf<{ type: string; count: number }>(product, sql, [position]);
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]));
};

/** Ten strategies, the same each time. */
export const fillCatalogue = async (product: KillProduct): Promise<void> => {
  await importRecords({
    name: 'demo',
    records: [...demoRecords({ count: 10 })],
    total: 10,
    importId: importId(newId()),
    store: product.product.store,
    clock: systemClock,
    actor: { id: 'test', kind: 'system' },
  });
  await untilIdle(product);
};
