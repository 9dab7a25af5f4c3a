import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Problem } from '@tapedeck/platform/contract';
import { facetFields } from '@tapedeck/search-engine/contract';
import { createColumnarEngine } from '@tapedeck/columnar/engine';
import { demoRows } from '@tapedeck/search-engine/testing';
import { ExploreQuery, explorerRoutes, RangesQuery } from './contract.ts';
import { startEngineOverHttp, type EngineOverHttp } from './testing/engine-over-http.ts';

const engine = createColumnarEngine();
const rows = demoRows(60);
let http: EngineOverHttp;

beforeAll(async () => {
  await engine.load(rows);
  http = await startEngineOverHttp(engine);
});
afterAll(async () => {
  await http.close();
  await engine.close();
});

const similar = explorerRoutes.similar(rows[0]?.urlId ?? '');
const routes: Readonly<Record<string, readonly string[]>> = {
  [explorerRoutes.explore]: Object.keys(ExploreQuery.shape),
  [explorerRoutes.filtered]: ['page', 'limit', 'sort_by', 'sort_order'],
  [explorerRoutes.ranges]: Object.keys(RangesQuery.shape),
  [`${explorerRoutes.histogram}?field=likes`]: ['field', 'scale', 'max_comments'],
  [`${explorerRoutes.brush}?active=likes`]: ['active', 'scales', 'min_views'],
  [explorerRoutes.indicatorTotals]: ['search', 'min_likes', 'has_enhanced'],
  [similar]: ['limit'],
};

/** As they are written in an address. */
const hostile: Readonly<Record<string, string>> = {
  'not a number': 'NaN',
  'more than a number can be': '1e999',
  'less than a number can be': '-1e999',
  infinity: 'Infinity',
  'a number in another base': '0x10',
  'digits of another script': '%EF%BC%91',
  'a blank': '%20',
  nothing: '',
  'ten thousand characters': 'a'.repeat(10_000),
  'a number of fifteen thousand digits': '1'.repeat(15_000),
  'fifteen thousand digits without end': `${'1'.repeat(15_000)}x`,
  'half a character': '%ED%A0%80',
  'broken percent signs': '%zz%',
  'no UTF-8': '%FF%FE',
  'a zero byte': '%00',
  'an object': '[object%20Object]',
  SQL: "1';drop%20table%20strategies;--",
  'a regular expression': '(a%2B)%2B$',
  'the prototype': '__proto__',
  'far too many pairs': 'likes:log,'.repeat(900),
};

const ask = async (path: string, parameter: string, value: string): Promise<readonly [number, Problem]> => {
  const separator = path.includes('?') ? '&' : '?';
  const response = await fetch(`${http.url}${path}${separator}${parameter}=${value}`, {
    headers: http.headers,
  });
  return [response.status, (await response.json()) as Problem];
};

describe.each(Object.entries(routes))('GET %s', (path, parameters) => {
  it.each(Object.entries(hostile))(
    'is answered, or refused by the name of the parameter: %s',
    async (_, value) => {
      for (const parameter of parameters) {
        const [status, problem] = await ask(path, parameter, value);
        if (status === 200) continue;
        const paths = (problem.errors ?? []).map((error) => error.path);
        expect([parameter, status, paths]).toEqual([parameter, 400, [parameter]]);
        expect(problem.detail).toContain(parameter);
      }
    },
  );

  it('refuses a repeated parameter by its name', async () => {
    for (const parameter of parameters) {
      const [status, { errors }] = await ask(path, `${parameter}=1&${parameter}`, '1');
      expect([parameter, status, errors?.map((error) => error.path)]).toEqual([parameter, 400, [parameter]]);
    }
  });

  it('ignores unknown parameters', async () => {
    for (const parameter of ['__proto__', 'constructor', 'toString', 'min_unknown', '']) {
      expect((await ask(path, parameter, '1'))[0]).toBe(200);
    }
  });
});

describe('bounds', () => {
  it('are refused when they are not finite numbers, on either side of every field', async () => {
    for (const name of Object.keys(ExploreQuery.shape).filter((key) => /^(min|max)_/.test(key))) {
      for (const value of ['NaN', '1e999', '%20', '', '0x10', 'ten', '1,5', '--1', '1e', '.']) {
        expect([name, value, (await ask(explorerRoutes.explore, name, value))[0]]).toEqual([
          name,
          value,
          400,
        ]);
      }
      for (const value of [
        '1',
        '-1',
        '%2B1',
        '.5',
        '5.',
        '1e3',
        '1E-3',
        '%201%20',
        '-0',
        '1e308',
        '5e-324',
      ]) {
        expect([name, value, (await ask(explorerRoutes.explore, name, value))[0]]).toEqual([
          name,
          value,
          200,
        ]);
      }
    }
  });
});

describe('a malformed path', () => {
  it('returns a problem', async () => {
    const response = await fetch(`${http.url}/api/strategies/similar/%FF`, { headers: http.headers });
    expect(response.status).toBe(400);
  });

  it('accepts facets only by their own names', async () => {
    for (const name of ['', 'Likes', 'title', 'constructor', '__proto__', 'likes,views']) {
      expect((await ask(explorerRoutes.brush, 'active', name))[0]).toBe(400);
    }
    for (const name of facetFields) expect((await ask(explorerRoutes.brush, 'active', name))[0]).toBe(200);
  });
});
