import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importStrategies } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { ComparedStrategies, explorerRoutes } from './contract.ts';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, [
    { url_id: 'AAAAAAA1', title: 'One', symbol: 'BTCUSD', pine_version: 5, comments_count: 3 },
    { url_id: 'AAAAAAA2', title: 'Two', likes: 9 },
    { url_id: 'AAAAAAA3', title: 'Three', likes: 7 },
  ]);
  await catalogue.project();
  explorer = await startTestExplorer(catalogue);
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});

const titlesOf = async (ids: string): Promise<readonly string[]> => {
  const response = await explorer.get(`${explorerRoutes.compare}?ids=${ids}`);
  expect(response.status).toBe(200);
  return ComparedStrategies.parse(await response.json()).strategies.map(({ title }) => title);
};

describe('GET /api/strategies/compare', () => {
  it('returns each strategy once, in the requested order, without those that do not exist', async () => {
    expect(await titlesOf('AAAAAAA1,ZZZZZZZZ,AAAAAAA3,AAAAAAA1')).toEqual(['One', 'Three']);
    expect(await titlesOf('')).toEqual([]);
  });

  it('returns more fields than the list', async () => {
    const response = await explorer.get(`${explorerRoutes.compare}?ids=AAAAAAA1`);
    expect(await response.json()).toMatchObject({
      strategies: [{ symbol: 'BTCUSD', pine_version: 5, comments: 3, backtesting_range_start: null }],
    });
  });

  it.each(['?ids=x', '?ids=AAAAAAA1,AAAAAAA2,AAAAAAA3,AAAAAAA4,AAAAAAA5', ''])(
    'refuses %s',
    async (query) => {
      const response = await explorer.get(`${explorerRoutes.compare}${query}`);
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { errors: [{ path: expect.stringMatching(/^ids/) }] },
      ]);
    },
  );

  it('refuses visitors', async () => {
    expect((await fetch(`${explorer.url}${explorerRoutes.compare}?ids=AAAAAAA1`)).status).toBe(401);
  });
});
