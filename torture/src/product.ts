import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tapedeck/dev-postgres';
import { raisedLimits } from '@tapedeck/platform/testing';
import { migrateProduct } from '@tapedeck/composition/process';
import { migrationConfig, placeholders } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import type { Cluster } from './cluster.ts';
import type { Client } from './faults.ts';
import { superviseProcess, type SupervisedProcess } from './processes.ts';
import type { SearchServer } from './search-server.ts';

/** The processes of the product on the cluster, and the stand-in for the sign-in provider. */
export type RunningProduct = Readonly<{
  /**
   * Two APIs and two projectors. With a search server the second API answers searches from it, and both projectors
   * write its index, one at a time; the first API answers from its memory.
   */
  clients: readonly Client[];
  origins: readonly [string, string];
  /** Starts one more API, directly at the database; it loads the whole catalogue into its memory. */
  startFreshApi: () => Promise<string>;
  personalDataKey: Buffer;
  logFolder: string;
  /** Ends all processes. The folder of the logs stays when `keepLogs`. */
  stop: (keepLogs: boolean) => Promise<void>;
}>;

const apiFile = 'apps/api/dist/main.js';
const projectorFile = 'apps/projector/dist/main.js';

type Addresses = (file: string, database: 'tapedeck' | 'catalogue', proxy: string | undefined) => string;

/** Creates a role for each process. Returns the address at which a program reaches a database as its role. */
const createRoles = async ({ url }: Cluster): Promise<Addresses> => {
  const passwords = {
    API_DATABASE_PASSWORD: randomBytes(24).toString('base64url'),
    PROJECTOR_DATABASE_PASSWORD: randomBytes(24).toString('base64url'),
  };
  const config = migrationConfig({
    ...passwords,
    MIGRATION_DATABASE_URL: url('tapedeck'),
    MIGRATION_CATALOGUE_DATABASE_URL: url('catalogue'),
  });
  await migrateProduct(config, createLogger('migrate', 'silent'));
  return (file, database, proxy) => {
    const address = new URL(url(database));
    if (proxy !== undefined) address.host = new URL(proxy).host;
    const isApi = file === apiFile;
    address.username = isApi ? 'tapedeck_api' : 'tapedeck_projector';
    address.password = isApi ? passwords.API_DATABASE_PASSWORD : passwords.PROJECTOR_DATABASE_PASSWORD;
    return address.href;
  };
};

export const startProduct = async (
  cluster: Cluster,
  searchServer: SearchServer | undefined,
  folder = tmpdir(),
): Promise<RunningProduct> => {
  const logFolder = await mkdtemp(join(folder, 'tapedeck-torture-'));
  const personalDataKey = randomBytes(32);
  const secrets = {
    // No money moves here.
    ...placeholders,
    PERSONAL_DATA_KEY: personalDataKey.toString('base64'),
    SESSION_SECRET: randomBytes(32).toString('base64url'),
    OIDC_CLIENT_ID: 'tapedeck',
    OIDC_CLIENT_SECRET: randomBytes(24).toString('base64url'),
    LOG_LEVEL: 'warn',
    METRICS_PORT: '0',
  };
  const ports = { sandbox: await freePort(), apis: [await freePort(), await freePort(), await freePort()] };
  const originAt = (index: number): string => `http://127.0.0.1:${ports.apis[index]}`;
  const started: SupervisedProcess[] = [];
  const start = (name: string, file: string, env: Readonly<Record<string, string>>): SupervisedProcess => {
    const process = superviseProcess({ name, file, env: { ...secrets, ...env }, logFolder });
    started.push(process);
    return process;
  };
  const addressOf = await createRoles(cluster);
  const databaseEnv = (file: string, proxy?: string): Readonly<Record<string, string>> => ({
    DATABASE_URL: addressOf(file, 'tapedeck', proxy),
    CATALOGUE_DATABASE_URL: addressOf(file, 'catalogue', proxy),
  });
  const apiEnv = (index: number): Readonly<Record<string, string>> => ({
    HOST: '127.0.0.1',
    PORT: String(ports.apis[index]),
    PUBLIC_ORIGIN: originAt(index),
    OIDC_ISSUER: `http://127.0.0.1:${ports.sandbox}`,
    ...raisedLimits,
  });
  const startClient = async (
    name: string,
    file: string,
    env: Readonly<Record<string, string>> = {},
  ): Promise<Client> => {
    const proxy = await cluster.createProxy();
    return { proxy, process: start(name, file, { ...databaseEnv(file, proxy.url), ...env }) };
  };
  const startSearchClient: typeof startClient = async (name, file, env) => {
    const searchProxy = await searchServer?.createProxy();
    if (!searchProxy) return startClient(name, file, env);
    return {
      ...(await startClient(name, file, { ELASTICSEARCH_URL: searchProxy.url, ...env })),
      searchProxy,
    };
  };

  const sandbox = start('sandbox', 'apps/sandbox/dist/main.js', {
    SANDBOX_PORT: String(ports.sandbox),
    SANDBOX_REDIRECT_ORIGINS: [0, 1, 2].map(originAt).join(','),
    DATA_DIR: logFolder,
  });
  await sandbox.ready();
  const first = await startSearchClient('projector-1', projectorFile);
  // It creates the read models.
  await first.process.ready();
  const clients: readonly Client[] = [
    first,
    await startSearchClient('projector-2', projectorFile),
    await startClient('api-1', apiFile, apiEnv(0)),
    await startSearchClient('api-2', apiFile, apiEnv(1)),
  ];
  for (const { process } of clients) await process.ready();

  return {
    clients,
    origins: [originAt(0), originAt(1)],
    startFreshApi: async () => {
      await start('api-fresh', apiFile, { ...databaseEnv(apiFile), ...apiEnv(2) }).ready();
      return originAt(2);
    },
    personalDataKey,
    logFolder,
    stop: async (keepLogs) => {
      for (const process of started) await process.stop();
      if (!keepLogs) await rm(logFolder, { recursive: true, force: true });
    },
  };
};
