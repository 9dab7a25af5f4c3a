import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { explorerRoutes } from '@tapedeck/explorer/contract';
import { startProduct, temporaryFolder, type Product } from '@tapedeck/platform/testing';

const run = promisify(execFile);
const folder = temporaryFolder();
const prefix = `away-${randomBytes(4).toString('hex')}`;
const serverUrl = process.env['TEST_ELASTICSEARCH_URL'] ?? '';
let product: Product;

const server = async (action: 'start' | 'stop'): Promise<void> => {
  const env = { ...process.env, DATA_DIR: process.env['TEST_SERVICES_DATA_DIR'] };
  await run(process.execPath, ['scripts/services.mjs', action, 'elasticsearch'], { env });
};

/** Signs in by redirects, as a browser does; the cookie header afterwards. */
const signIn = async (email: string): Promise<string> => {
  const cookies = new Map<string, string>();
  const header = (): string => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  let url = `${product.url}/api/login?login_hint=${email}&returnTo=/`;
  for (let hops = 0; hops < 15; hops++) {
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
  explorerRoutes.changes,
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
  const indexes = Object.keys((await (await fetch(`${serverUrl}/${prefix}-*`)).json()) as object);
  for (const index of indexes) await fetch(`${serverUrl}/${index}`, { method: 'DELETE' });
}, 60_000);

describe('the product with a search server that goes away', () => {
  let cookie: string;

  const finds = async (count: number): Promise<void> => {
    const response = await get(explorerRoutes.explore, cookie);
    expect([response.status, ((await response.json()) as { total?: number }).total]).toEqual([200, count]);
  };

  it('answers from the index while it is there', async () => {
    cookie = await signIn('pro@tapedeck.example');
    await eventually(() => finds(50), 60_000);
    expect(await (await get('/health/ready')).json()).toMatchObject({ status: 'ok' });
    expect(await (await get('/api/config')).json()).toMatchObject({ demoCatalogue: true });
  });

  it('says so on every route of the explorer, and goes on with everything else', async () => {
    await server('stop');
    const isDegraded = async (): Promise<void> => {
      const ready = await get('/health/ready');
      expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'degraded' }]);
    };
    await eventually(isDegraded, 30_000);
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

  it('answers again when it is back, without a restart', async () => {
    await server('start');
    await eventually(() => finds(50), 600_000);
    expect(await (await get('/health/ready')).json()).toMatchObject({ status: 'ok' });
  }, 900_000);
});
