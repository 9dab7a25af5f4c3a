import { startTcpProxy, startTestServer, type TcpProxy, type TestServer } from '@tapedeck/eventing/servers';
import { Client } from 'pg';
import { until } from './until.ts';

const databases = ['tapedeck', 'catalogue'] as const;

/** The database server with its standby. Every client reaches it through a proxy of its own. */
export type Cluster = Readonly<{
  /** A proxy for one client. It leads to the primary, also after a promotion. */
  createProxy: () => Promise<TcpProxy>;
  /** Address of a database on the primary, without a proxy. */
  url: (database: (typeof databases)[number] | 'postgres') => string;
  /** Ends the server without a shutdown and starts it again. */
  crash: () => Promise<void>;
  /** Ends the primary for good, promotes the standby and makes a new standby of it. */
  promoteStandby: () => Promise<void>;
  /** Writes until that fails, because the disk of the primary is full: the server has some space in its files. */
  useUpSpace: () => Promise<void>;
  /** Starts the servers that have ended by themselves, as a supervisor does. */
  restartEnded: () => Promise<void>;
  /** Terminates a connection of the product. Returns false when there is none. */
  terminateBackend: (choice: number) => Promise<boolean>;
  stop: () => Promise<void>;
}>;

const settings = {
  max_connections: '200',
  // Commits wait for the standby: it reconnects after a tenth of a second instead of five seconds.
  wal_retrieve_retry_interval: '100ms',
  wal_keep_size: '256MB',
  max_wal_size: '256MB',
};

/** For a server that replays its log after a crash, while other programs use the machine. */
const restartTimeoutMs = 120_000;

/** A megabyte each: more than a server ever keeps of its log. */
const maxMessages = 1_000;

const withClient = async <T>(url: string, work: (client: Client) => Promise<T>): Promise<T> => {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * With a standby every commit waits until that has it, so that a promotion loses no event that was acknowledged.
 * Without one, commits would wait for ever.
 */
const requireStandby = (server: TestServer, isRequired: boolean): Promise<void> =>
  withClient(server.url('postgres'), async (client) => {
    await client.query(
      isRequired
        ? `alter system set synchronous_standby_names = '*'`
        : 'alter system reset synchronous_standby_names',
    );
    await client.query('select pg_reload_conf()');
  });

const isInSync = (server: TestServer): Promise<boolean> =>
  withClient(server.url('postgres'), async (client) => {
    const { rowCount } = await client.query(`select from pg_stat_replication where sync_state = 'sync'`);
    return rowCount === 1;
  });

const addStandby = async (primary: TestServer): Promise<TestServer> => {
  const standby = await primary.createStandby();
  await requireStandby(primary, true);
  await until('the standby is in sync', () => isInSync(primary));
  return standby;
};

/** One that still ends while it is looked at is started at the next attempt. */
const startUntilItAnswers = (server: TestServer): Promise<void> =>
  until(
    'a database server answers',
    () =>
      server
        .start()
        .then(() => withClient(server.url('postgres'), (client) => client.query('select 1')))
        .then(
          () => true,
          () => false,
        ),
    restartTimeoutMs,
  );

/** The servers keep their files in the folder, if there is one, or else in that of the system for temporary files. */
export const startCluster = async (folder?: string): Promise<Cluster> => {
  let primary = await startTestServer(settings, folder);
  await withClient(primary.url('postgres'), async (client) => {
    for (const database of databases) await client.query(`create database ${database}`);
  });
  let standby: TestServer | undefined = await addStandby(primary);
  const proxies: TcpProxy[] = [];

  return {
    createProxy: async () => {
      const proxy = await startTcpProxy({ target: primary.url('postgres') });
      proxies.push(proxy);
      return proxy;
    },
    url: (database) => primary.url(database),
    crash: async () => {
      await primary.stop('immediate');
      await primary.start();
    },
    promoteStandby: async () => {
      await until('the standby is in sync', () => isInSync(primary));
      const [old, next] = [primary, standby];
      if (!next) throw new Error('There is no standby to promote.');
      await old.stop('immediate');
      await next.promote();
      [primary, standby] = [next, undefined];
      await requireStandby(primary, false);
      for (const proxy of proxies) proxy.retarget(primary.url('postgres'));
      await old.dispose();
      standby = await addStandby(primary);
    },
    useUpSpace: async () => {
      const isFull = await withClient(primary.url('postgres'), async (client) => {
        await client.query('set synchronous_commit = local');
        for (let n = 0; n < maxMessages; n++) {
          await client.query(`select pg_logical_emit_message(true, 'torture', repeat('x', 1000000))`);
        }
        return false;
      }).catch(() => true);
      if (!isFull) throw new Error('The disk was filled, but the database still writes.');
    },
    restartEnded: async () => {
      for (const server of [primary, standby]) if (server) await startUntilItAnswers(server);
      await until('the standby is in sync', () => isInSync(primary), restartTimeoutMs);
    },
    terminateBackend: (choice) =>
      withClient(primary.url('postgres'), async (client) => {
        const { rows } = await client.query<{ pid: number }>(
          `select pid from pg_stat_activity where application_name like 'tapedeck%' order by pid`,
        );
        const chosen = rows[Math.floor(choice * rows.length)];
        if (chosen) await client.query('select pg_terminate_backend($1)', [chosen.pid]);
        return chosen !== undefined;
      }),
    stop: async () => {
      for (const proxy of proxies) await proxy.close();
      await standby?.dispose();
      await primary.dispose();
    },
  };
};
