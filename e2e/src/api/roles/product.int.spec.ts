import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createPersonalDataKeys } from '@tapedeck/eventing/postgres';
import {
  dropVersion,
  dumpReadModel,
  poolOf,
  projectionStatus,
  startProjector,
  switchBack,
} from '@tapedeck/eventing/projections';
import type { Projection } from '@tapedeck/eventing';
import { eventually } from '@tapedeck/eventing/testing';
import { newId, systemClock } from '@tapedeck/kernel';
import { migrationConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { projections } from '@tapedeck/composition/modules';
import { migrateProduct, openProduct, type OpenProduct } from '@tapedeck/composition/process';
import {
  decidedOfConsole,
  decidedPrivileges,
  isReadModel,
  privilegesOf,
  silent,
  startRoleServer,
  type RoleServer,
  type User,
} from './role-server.ts';

let server: RoleServer;
let tape: string;
let catalogue: string;
let databases = 0;
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  server = await startRoleServer();
});
afterAll(() => server.dispose());
beforeEach(async () => {
  databases++;
  [tape, catalogue] = [`tape_${databases}`, `catalogue_${databases}`];
  await server.create(tape, catalogue);
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const open = async (user: User): Promise<OpenProduct> => {
  const config = server.configAs(user, tape, catalogue);
  const product = await openProduct(user, config, silent, { ownsReadModels: user !== 'api' });
  closing.push(product.close);
  return product;
};

const project = ({ store, databases: pools }: OpenProduct, of: readonly Projection[] = projections): void => {
  const projector = startProjector({ store, projections: of, databases: pools, leaseMs: 1_000 });
  closing.push(projector.stop);
};

const importDemo = async ({ store }: OpenProduct, count: number): Promise<void> => {
  await importRecords({
    name: 'demo',
    records: [...demoRecords({ count })],
    total: count,
    importId: importId(newId()),
    store,
    clock: systemClock,
    actor: { id: 'test', kind: 'system' },
  });
};

const allCaughtUp = ({ store, databases: pools }: OpenProduct): Promise<void> =>
  eventually(async () => {
    const all = await projectionStatus({ store, projections, databases: pools });
    expect(all.filter(({ status, lagEvents }) => status === 'live' && lagEvents === 0)).toHaveLength(
      projections.length,
    );
  }, 30_000);

const countStrategies = async ({ databases: pools }: OpenProduct): Promise<number> => {
  const { rows } = await pools.catalogue.query<{ n: string }>(
    'select count(*) as n from strategies join strategies_parsed_simple using (url_id)',
  );
  return Number(rows[0]?.n);
};

const dumps = async ({ databases: pools }: OpenProduct): Promise<readonly string[]> => {
  const all: string[] = [];
  for (const projection of projections) all.push(await dumpReadModel(poolOf(pools, projection), projection));
  return all;
};

describe('with a role for each process', () => {
  beforeEach(() => server.migrate(tape, catalogue));

  it('the projector builds every read model, and the API reads them and changes keys of personal data', async () => {
    const projector = await open('projector');
    const api = await open('api');
    await importDemo(projector, 20);
    project(projector);
    await allCaughtUp(api);
    expect(await countStrategies(api)).toBe(20);
    expect(await dumps(api)).toEqual(await dumps(projector));
    const keys = createPersonalDataKeys({
      pool: api.databases.tapedeck,
      masterKey: Buffer.alloc(32, 1),
    });
    const key = await keys.keyFor('account-1');
    expect(key.secret).toHaveLength(32);
    await keys.forget('account-1');
    await expect(keys.keyFor('account-1')).rejects.toMatchObject({ code: 'ACCOUNT_FORGOTTEN' });
  });

  it('a second version is built beside the first and goes live, and the API reads it, also when it is switched back', async () => {
    const current = projections.find(({ name }) => name === 'strategies');
    if (!current) throw new Error('There is no projection of strategies.');
    const next = { ...current, version: current.version + 1 };
    const projector = await open('projector');
    const api = await open('api');
    await importDemo(projector, 10);
    project(projector);
    await allCaughtUp(api);
    project(projector, [next]);
    const pool = projector.databases.catalogue;
    const liveVersion = async (): Promise<number | undefined> => {
      const { rows } = await api.databases.catalogue.query<{ version: number }>(
        `select version from projection_checkpoints where projection = 'strategies' and status = 'live'`,
      );
      return rows[0]?.version;
    };
    await eventually(async () => expect(await liveVersion()).toBe(next.version), 30_000);
    expect(await countStrategies(api)).toBe(10);
    await switchBack(pool, current);
    expect(await liveVersion()).toBe(current.version);
    expect(await countStrategies(api)).toBe(10);
    for (const close of closing.splice(2).reverse()) await close();
    await dropVersion(pool, next);
    expect(await countStrategies(api)).toBe(10);
  });

  it('the migrations can run again while the product runs, and change nothing', async () => {
    const projector = await open('projector');
    const api = await open('api');
    await importDemo(projector, 10);
    project(projector);
    await allCaughtUp(api);
    await Promise.all([server.migrate(tape, catalogue), server.migrate(tape, catalogue)]);
    expect(await countStrategies(api)).toBe(10);
    const found = await privilegesOf(server.poolAs('administrator', tape));
    expect(found.filter((line) => !isReadModel(line))).toEqual(decidedPrivileges.tapedeck);
  });
});

describe('with databases that are not migrated', () => {
  it.each(['api', 'projector'] as const)(
    'the %s ends with one sentence that says what to run',
    async (user) => {
      // In other databases, so that the roles exist.
      const [emptyTape, emptyCatalogue] = [tape, catalogue];
      await server.create(`${tape}_m`, `${catalogue}_m`);
      await server.migrate(`${tape}_m`, `${catalogue}_m`);
      [tape, catalogue] = [emptyTape, emptyCatalogue];
      await expect(open(user)).rejects.toMatchObject({
        code: 'DATABASE_NOT_MIGRATED',
        message: expect.stringContaining('run `npm run migrate`'),
      });
    },
  );
});

describe('with roles that an administrator has created', () => {
  it('their owner, which is no superuser, migrates and grants the rest', async () => {
    const admin = server.poolAs('administrator', 'postgres');
    const password = 'password-of-the-owner';
    await admin.query(`create role other_owner login password '${password}'`);
    await admin.query('create role other_api login');
    await admin.query('create role other_projector login');
    const urlOf = (database: string): string => {
      const url = new URL(server.urlAs('administrator', database));
      [url.username, url.password] = ['other_owner', password];
      return url.href;
    };
    const config = migrationConfig({
      MIGRATION_DATABASE_URL: urlOf(tape),
      MIGRATION_CATALOGUE_DATABASE_URL: urlOf(catalogue),
      DATABASE_ROLE_PREFIX: 'other',
    });
    for (const database of [tape, catalogue])
      await admin.query(`alter database ${database} owner to other_owner`);
    await admin.query('grant other_projector to other_owner');
    await migrateProduct(config, silent);
    await migrateProduct(config, silent);
    const found = await privilegesOf(server.poolAs('administrator', tape));
    const expected = decidedPrivileges.tapedeck.filter((line) => !line.startsWith('language'));
    expect(
      found
        .filter((line) => !isReadModel(line) && !line.startsWith('language'))
        .map((line) => line.replaceAll('other_', '')),
    ).toEqual(expected);
  });

  it('a role that is missing is named', async () => {
    const config = migrationConfig({
      MIGRATION_DATABASE_URL: server.urlAs('administrator', tape),
      MIGRATION_CATALOGUE_DATABASE_URL: server.urlAs('administrator', catalogue),
      DATABASE_ROLE_PREFIX: 'missing',
    });
    await expect(migrateProduct(config, silent)).rejects.toMatchObject({
      code: 'DATABASE_ROLE_MISSING',
      message: expect.stringContaining('The role missing_api does not exist'),
    });
  });
});

describe('with one role for everything', () => {
  it('each process says so once in its log, and none does that has a role of its own', async () => {
    const lines: string[] = [];
    const logger = createLogger('roles', 'silent');
    logger.warn = (line: unknown) => void lines.push(String(line));
    const openAs = async (user: User): Promise<void> => {
      await (await openProduct(user, server.configAs(user, tape, catalogue), logger)).close();
    };
    await openAs('administrator');
    expect(lines).toEqual([expect.stringContaining('`npm run migrate` makes a role for each process')]);
    await server.migrate(tape, catalogue);
    await openAs('projector');
    await openAs('api');
    expect(lines).toHaveLength(1);
  });

  it('the product works, and keeps its read models when it gets a role for each process', async () => {
    const before = await open('administrator');
    await importDemo(before, 15);
    project(before);
    await allCaughtUp(before);
    const dumped = await dumps(before);
    for (const close of closing.splice(0).reverse()) await close();

    await server.migrate(tape, catalogue);
    for (const [database, decided] of [
      [tape, decidedPrivileges.tapedeck],
      [catalogue, decidedPrivileges.catalogue],
    ] as const) {
      const found = await privilegesOf(server.poolAs('administrator', database));
      expect(found.filter((line) => !isReadModel(line))).toEqual(decided);
      const readModels = found.filter((line) => isReadModel(line));
      expect(readModels.length).toBeGreaterThan(1);
      const ofConsole = readModels.filter((line) => line.includes('console_'));
      expect(readModels.filter((line) => !line.endsWith(': projector | api select'))).toEqual(ofConsole);
      expect(ofConsole).toEqual(database === catalogue ? decidedOfConsole : []);
    }
    const api = await open('api');
    expect(await dumps(api)).toEqual(dumped);
    const projector = await open('projector');
    project(projector);
    await importDemo(projector, 25);
    await allCaughtUp(api);
    expect(await countStrategies(api)).toBe(25);
  });

  it('the product also works on databases that were migrated with roles', async () => {
    await server.migrate(tape, catalogue);
    const projector = await open('projector');
    await importDemo(projector, 5);
    project(projector);
    await allCaughtUp(projector);
    for (const close of closing.splice(0).reverse()) await close();
    const alone = await open('administrator');
    project(alone);
    await importDemo(alone, 8);
    await allCaughtUp(alone);
    expect(await countStrategies(alone)).toBe(8);
  });
});
