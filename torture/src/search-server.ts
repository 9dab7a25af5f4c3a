import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTcpProxy, type TcpProxy } from '@tapedeck/eventing/servers';
import { messageOf } from '@tapedeck/kernel';

/** The Elasticsearch server. Every process of the product reaches it through a proxy of its own. */
export type SearchServer = Readonly<{
  /** Address of the server without a proxy. */
  url: () => string;
  createProxy: () => Promise<TcpProxy>;
  /** Ends it without a warning, starts it again and waits until it answers. One such fault at a time. */
  crash: () => Promise<void>;
  /** Stops it for a while as a suspended host does. */
  suspend: (forMs: number) => Promise<void>;
  /** Deletes the indexes whose name begins so, as an administrator does by mistake. */
  deleteIndexes: (prefix: string) => Promise<void>;
  stop: () => Promise<void>;
}>;

/** Half a gigabyte, and the compiler that starts fastest. */
const javaOptions = '-Xms512m -Xmx512m -XX:TieredStopAtLevel=1';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** What the program says after the sign of a failure. */
const reasonOf = (error: unknown): string => /✗ (.+)/.exec(messageOf(error))?.[1] ?? messageOf(error);

/**
 * Starts a server in a temporary folder.
 *
 * @throws Error where it cannot run, with the reason.
 */
export const startSearchServer = async (): Promise<SearchServer> => {
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-search-'));
  // As root, the server runs as another user.
  await chmod(folder, 0o755);
  const control = async (action: 'start' | 'stop'): Promise<string> => {
    const env = { ...process.env, DATA_DIR: folder, ES_JAVA_OPTS: javaOptions };
    const { stdout } = await run(process.execPath, ['scripts/services.mjs', action, 'elasticsearch'], {
      cwd: root,
      env,
    });
    return stdout;
  };
  const start = async (): Promise<string> => {
    const [, url] = /ELASTICSEARCH_URL=(\S+)/.exec(await control('start')) ?? [];
    if (url === undefined) throw new Error('Elasticsearch has started without an address.');
    return url;
  };
  const removeAll = async (): Promise<void> => {
    await control('stop');
    await rm(folder, { recursive: true, force: true });
  };
  let url = await start().catch(async (error: unknown) => {
    await removeAll();
    throw new Error(reasonOf(error), { cause: error });
  });

  const pidFile = join(folder, 'services', 'elasticsearch', 'pid');
  const proxies: TcpProxy[] = [];
  const signal = async (name: NodeJS.Signals): Promise<void> =>
    void process.kill(Number(await readFile(pidFile, 'utf8')), name);
  const crash = async (): Promise<void> => {
    await signal('SIGKILL');
    url = await start();
    for (const proxy of proxies) proxy.retarget(url);
  };
  const suspend = async (forMs: number): Promise<void> => {
    await signal('SIGSTOP');
    await setTimeout(forMs);
    await signal('SIGCONT');
  };
  const deleteIndexes = async (prefix: string): Promise<void> => {
    const response = await fetch(new URL('/_alias', url));
    const all = (await response.json()) as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(all).filter((one) => one.startsWith(prefix))) {
      await fetch(new URL(`/${name}`, url), { method: 'DELETE' });
    }
  };
  let last: Promise<void> = Promise.resolve();
  /** One at a time, because each needs the server as it was before. */
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    const mine = last.then(work);
    last = mine.catch(() => {});
    return mine;
  };

  return {
    url: () => url,
    createProxy: async () => {
      const proxy = await startTcpProxy({ target: url });
      proxies.push(proxy);
      return proxy;
    },
    crash: () => inTurn(crash),
    suspend: (forMs) => inTurn(() => suspend(forMs)),
    deleteIndexes: (prefix) => inTurn(() => deleteIndexes(prefix)),
    stop: async () => {
      await last;
      for (const proxy of proxies) await proxy.close();
      await removeAll();
    },
  };
};
