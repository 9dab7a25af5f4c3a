import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '@tapedeck/composition/modules';
import { migrateProduct, openProduct, type OpenProduct } from '@tapedeck/composition/process';
import { dumpReadModel, poolOf, projectionStatus, startProjector } from '@tapedeck/eventing/projections';
import { eventually } from '@tapedeck/eventing/testing';
import { newId, systemClock } from '@tapedeck/kernel';
import { migrationConfig, taskConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import { join } from 'node:path';
import { ownServerPrograms, startOwnServer, type OwnServer } from '../own-server.ts';

const logger = createLogger('restore', 'silent');

// A machine without the programs of PostgreSQL has no pg_dump.
(ownServerPrograms ? describe : describe.skip)('a dump of databases with a role for each process', () => {
  const folder = temporaryFolder();
  const dump = join(folder.path, 'tapedeck.dump');
  const closing: (() => Promise<unknown>)[] = [];
  let server: OwnServer;

  const migrate = (tape: string, catalogue: string): Promise<void> =>
    migrateProduct(
      migrationConfig({
        MIGRATION_DATABASE_URL: server.url(tape),
        MIGRATION_CATALOGUE_DATABASE_URL: server.url(catalogue),
        API_DATABASE_PASSWORD: 'password-of-the-api',
        PROJECTOR_DATABASE_PASSWORD: 'password-of-the-projector',
      }),
      logger,
    );
  const open = async (role: 'api' | 'projector', tape: string, catalogue: string): Promise<OpenProduct> => {
    const as = (database: string): string => {
      const url = new URL(server.url(database));
      url.username = `tapedeck_${role}`;
      return url.href;
    };
    const config = taskConfig({
      DATABASE_URL: as(tape),
      CATALOGUE_DATABASE_URL: as(catalogue),
      PERSONAL_DATA_KEY: Buffer.alloc(32, 1).toString('base64'),
    });
    const product = await openProduct(role, config, logger, { ownsReadModels: role === 'projector' });
    closing.push(product.close);
    if (role === 'projector') closing.push(startProjector({ ...product, projections, leaseMs: 1_000 }).stop);
    return product;
  };
  const close = async (): Promise<void> => {
    for (const work of closing.splice(0).reverse()) await work();
  };
  const importDemo = ({ store }: OpenProduct, count: number): Promise<unknown> =>
    importRecords({
      name: 'demo',
      records: [...demoRecords({ count })],
      total: count,
      importId: importId(newId()),
      store,
      clock: systemClock,
      actor: { id: 'test', kind: 'system' },
    });
  /** The rows of every read model at the end of the tape. */
  const contents = async ({ store, databases }: OpenProduct): Promise<readonly string[]> => {
    await eventually(async () => {
      const all = await projectionStatus({ store, projections, databases });
      expect(all.filter(({ status, lagEvents }) => status === 'live' && lagEvents === 0)).toHaveLength(
        projections.length,
      );
    }, 60_000);
    return Promise.all(
      projections.map((projection) => dumpReadModel(poolOf(databases, projection), projection)),
    );
  };

  beforeAll(async () => {
    server = await startOwnServer(ownServerPrograms ?? '');
    for (const name of ['tapedeck', 'catalogue', 'restored', 'restored_catalogue'])
      server.createDatabase(name);
    await migrate('tapedeck', 'catalogue');
  }, 120_000);
  afterAll(async () => {
    await close();
    server.stop();
    folder.remove();
  });

  it('is restored without owners and privileges, and the migrations give it both again', async () => {
    const projector = await open('projector', 'tapedeck', 'catalogue');
    await importDemo(projector, 20);
    const before = await contents(await open('api', 'tapedeck', 'catalogue'));
    server.dump('tapedeck', dump);
    await close();

    server.restore('restored', dump, '--clean', '--if-exists', '--no-owner', '--no-privileges');
    await expect(open('api', 'restored', 'restored_catalogue')).rejects.toMatchObject({
      code: 'DATABASE_NOT_MIGRATED',
    });
    await migrate('restored', 'restored_catalogue');
    const restored = await open('projector', 'restored', 'restored_catalogue');
    const api = await open('api', 'restored', 'restored_catalogue');
    expect(await contents(api)).toEqual(before);
    await importDemo(restored, 25);
    await eventually(async () => {
      const found = await api.databases.catalogue.query('select count(*)::int as n from strategies');
      expect(found.rows).toEqual([{ n: 25 }]);
    });
    for (const { databases } of [api, restored])
      await expect(databases.tapedeck.query('delete from tape_events')).rejects.toMatchObject({
        code: '42501',
      });
  }, 180_000);
});
