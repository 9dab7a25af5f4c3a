import { openProduct, type OpenProduct } from '@tapedeck/composition/process';
import { projections } from '@tapedeck/composition/modules';
import { commandContext } from '@tapedeck/eventing';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { accountId, derivedId, newId, systemClock } from '@tapedeck/kernel';
import { createTestApp } from '@tapedeck/platform/testing';
import type { ApiConfig } from '@tapedeck/composition/config';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createExecute, SqlConsoleModule, type ConsoleParts } from '@tapedeck/sql-console/api';
import type { SqlAnswer } from '@tapedeck/sql-console/contract';
import { demoRecords } from '@tapedeck/strategies/demo';
import { importId, importRecords } from '@tapedeck/strategies/import';
import type pg from 'pg';
import { silent, startRoleServer, type RoleServer } from '../roles/role-server.ts';

export const admin = accountId(derivedId('an admin of the console'));
const actor = { id: admin, kind: 'admin' };

export type ConsoleServer = Readonly<{
  server: RoleServer;
  api: OpenProduct;
  projector: OpenProduct;
  /** On the catalogue. */
  administrator: pg.Pool;
  parts: ConsoleParts;
  run: (path: 'either' | 'read' | 'write' | 'plan', sql: string, options?: RunOptions) => Promise<SqlAnswer>;
  project: () => Promise<void>;
  dispose: () => Promise<void>;
}>;

export type RunOptions = Readonly<{
  queryId?: string;
  signal?: AbortSignal;
  confirmedRows?: number;
  account?: string;
}>;

/** The product's databases with a role for each process, the console's among them, and a catalogue of 40 strategies. */
export const startConsoleServer = async (statementMs: number): Promise<ConsoleServer> => {
  const server = await startRoleServer();
  await server.create('tapedeck', 'catalogue');
  await server.migrate();
  const projector = await openProduct('projector', server.configAs('projector'), silent, {
    ownsReadModels: true,
  });
  const api = await openProduct('api', server.configAs('api'), silent);
  const { store } = projector;
  await importRecords({
    name: 'demo',
    records: [...demoRecords({ count: 40 })],
    total: 40,
    importId: importId(newId()),
    store,
    clock: systemClock,
    actor: { id: 'test', kind: 'system' },
  });
  const project = (): Promise<void> => projectToEnd({ store, projections, databases: projector.databases });
  await project();
  const parts: ConsoleParts = {
    catalogue: api.databases.catalogue,
    readUrl: server.urlAs('console_ro', 'catalogue'),
    writeUrl: server.urlAs('console_rw', 'catalogue'),
    statementMs,
  };
  const execute = createExecute(parts, api.store);
  return {
    server,
    api,
    projector,
    administrator: server.poolAs('administrator', 'catalogue'),
    parts,
    run: (path, sql, { queryId = newId(), signal, account = admin, ...confirmed } = {}) =>
      execute({
        caller: { accountId: account, role: 'admin', ip: '127.0.0.1', session: 'a session' },
        queryId,
        sql,
        path,
        signal: signal ?? new AbortController().signal,
        context: () => commandContext({ actor, clock: systemClock }),
        ...confirmed,
      }),
    project,
    dispose: async () => {
      await api.close();
      await projector.close();
      await server.dispose();
    },
  };
};

/** The routes of the console, as the API has them. */
export const createConsoleApp = (
  { api, server }: ConsoleServer,
  config: Partial<ApiConfig> = {},
): Promise<NestFastifyApplication> => {
  const { tapedeck, catalogue } = api.databases;
  return createTestApp({
    modules: [SqlConsoleModule],
    databases: {
      tapedeck,
      catalogue,
      pools: api.databases,
      urls: { tapedeck: server.urlAs('api', 'tapedeck'), catalogue: server.urlAs('api', 'catalogue') },
      drop: async () => {},
    },
    store: api.store,
    config: {
      CONSOLE_READ_DATABASE_URL: server.urlAs('console_ro', 'catalogue'),
      CONSOLE_WRITE_DATABASE_URL: server.urlAs('console_rw', 'catalogue'),
      ...config,
    },
  });
};
