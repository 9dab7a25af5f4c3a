import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';
import { startTestServer, stopTestServer, testServerUrl } from '@tapedeck/elasticsearch/testing';

const folder = temporaryFolder();
const prefix = `unavailable-${randomBytes(4).toString('hex')}`;
const serverUrl = testServerUrl();
let product: Product;

/** Follows the redirects of the sign-in like a browser; returns the cookie header. */
const signIn = async (email: string): Promise<string> => {
  const cookies = new Map<string, string>();
  const header = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let url = `${product.url}/api/login?login_hint=${email}&returnTo=/`;
  for (let redirects = 0; redirects < 15; redirects++) {
    const response = await fetch(url, { redirect: 'manual', headers: { cookie: header() } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null) return header();
    url = new URL(location, url).href;
  }
  throw new Error('The redirects of the sign-in do not end.');
};

const get = (path: string, cookie = ''): Promise<Response> =>
  fetch(`${product.url}${path}`, { headers: { cookie } });

const searchRoutes = [
  explorerRoutes.explore,
  explorerRoutes.filtered,
  explorerRoutes.ranges,
  `${explorerRoutes.histogram}?field=likes`,
  `${explorerRoutes.quantileHistogram}?field=likes`,
  `${explorerRoutes.brush}?active=likes`,
  explorerRoutes.indicatorTotals,
  explorerRoutes.similar('Demo0001'),
];

beforeAll(async () => {
  product = await startProduct({
    dataFolder: folder.path,
    env: { DEMO_CATALOGUE: '50', ELASTICSEARCH_URL: serverUrl, ELASTICSEARCH_INDEX: prefix },
  });
}, 900_000);
afterAll(async () => {
  await product.stop();
  folder.remove();
  await startTestServer();
  const indexes = Object.keys((await (await fetch(`${serverUrl}/${prefix}-*`)).json()) as object);
  for (const index of indexes) await fetch(`${serverUrl}/${index}`, { method: 'DELETE' });
}, 300_000);

describe('the product with an Elasticsearch server that stops', () => {
  let cookie: string;

  const expectTotal = async (total: number): Promise<void> => {
    const response = await get(explorerRoutes.explore, cookie);
    expect([response.status, ((await response.json()) as { total?: number }).total]).toEqual([200, total]);
  };
  const expectDegraded = async (): Promise<void> => {
    const ready = await get('/health/ready');
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded' }]);
  };
  const stopServer = async (): Promise<void> => {
    await stopTestServer();
    await eventually(expectDegraded, 30_000);
  };
  const startServer = async (): Promise<void> => {
    await startTestServer();
    await eventually(() => expectTotal(50), 600_000);
  };

  beforeAll(async () => {
    cookie = await signIn('pro@tapedeck.example');
  });
  beforeEach(startServer, 900_000);

  it('answers from the index while the server runs', async () => {
    await expectTotal(50);
    expect(await (await get('/health/ready')).json()).toMatchObject({ status: 'ok' });
    expect(await (await get('/api/config')).json()).toMatchObject({ demoCatalogue: true });
  });

  it('returns SEARCH_UNAVAILABLE from every search route, and serves all other routes', async () => {
    await stopServer();
    for (const route of searchRoutes) {
      const response = await get(route, cookie);
      const { status, headers } = response;
      const { code } = (await response.json()) as { code: string };
      expect({ route, status, code, retry: headers.get('retry-after') }).toEqual({
        route,
        status: 503,
        code: 'SEARCH_UNAVAILABLE',
        retry: '5',
      });
    }
    const other = await signIn('free@tapedeck.example');
    const favourites = await get('/api/member/favorites', other);
    expect(favourites.status).toBe(200);
  }, 120_000);

  it('answers again when the server has recovered, without a restart of the product', async () => {
    await stopServer();
    await startServer();
    expect(await (await get('/health/ready')).json()).toMatchObject({ status: 'ok' });
  }, 900_000);
});
