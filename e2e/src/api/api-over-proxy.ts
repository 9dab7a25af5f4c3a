import { createHash, createHmac, randomBytes } from 'node:crypto';
import { projections } from '@tapedeck/composition/modules';
import { openProduct } from '@tapedeck/composition/process';
import { startTcpProxy, type TcpProxy } from '@tapedeck/eventing/servers';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { derivedId, systemClock } from '@tapedeck/kernel';
import { apiConfig, placeholders } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { raisedLimits, testDatabases, type TestDatabases } from '@tapedeck/platform/testing';
import { createApi } from '@tapedeck/api/create-api';

/** The whole API in this process, whose connections to its databases pass through a proxy. */
export type ApiOverProxy = Readonly<{
  url: string;
  /** The headers of a signed-in member. */
  member: Readonly<Record<string, string>>;
  /** Opens a further session; returns its headers. */
  signIn: () => Promise<Readonly<Record<string, string>>>;
  proxy: TcpProxy;
  databases: TestDatabases;
  close: () => Promise<void>;
}>;

const secret = 's'.repeat(32);
const cookieName = 'tapedeck-0';

/** Opens a session as signing in does; returns its cookie. */
const signIn = async ({ tapedeck }: TestDatabases): Promise<string> => {
  const id = randomBytes(16).toString('hex');
  const signature = createHmac('sha256', secret).update(id).digest('base64').replaceAll('=', '');
  await tapedeck.query(
    `insert into sessions (id_hash, account_id, created_at, seen_at, idle_seconds, idle_until, ends_at)
     values ($1, $2, now(), now(), 3600, now() + interval '1 hour', now() + interval '1 hour')`,
    [createHash('sha256').update(id).digest(), derivedId('member')],
  );
  return `${cookieName}=${encodeURIComponent(`${id}.${signature}`)}`;
};

/** `queryMs`: as of `openProduct`; `settings` are environment variables. */
export const startApiOverProxy = async (
  queryMs: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<ApiOverProxy> => {
  const databases = await testDatabases();
  const proxy = await startTcpProxy({ target: databases.urls.tapedeck });
  const config = apiConfig({
    ...placeholders,
    DATABASE_URL: proxy.url,
    CATALOGUE_DATABASE_URL: proxy.url.replace(/[^/]+$/, new URL(databases.urls.catalogue).pathname.slice(1)),
    PERSONAL_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    SESSION_SECRET: secret,
    PORT: '0',
    ...raisedLimits,
    ...settings,
  });
  const logger = createLogger('test', 'silent');
  const product = await openProduct('test', config, logger, { queryMs });
  await projectToEnd({ store: product.store, projections, databases: databases.pools });
  const api = await createApi({ config, ...product, clock: systemClock, logger });
  await api.listen(0, '127.0.0.1');
  const url = await api.getUrl();
  const newMember = async (): Promise<Readonly<Record<string, string>>> => ({
    cookie: await signIn(databases),
    'sec-fetch-site': 'same-origin',
  });
  return {
    url,
    member: await newMember(),
    signIn: newMember,
    proxy,
    databases,
    close: async () => {
      proxy.pass();
      await api.close();
      await product.close();
      await proxy.close();
      await databases.drop();
    },
  };
};
