import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ComparedStrategies, explorerRoutes } from './contract.ts';
import { importStrategies } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

let ground: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  ground = await createTestCatalogue();
  await importStrategies(ground.store, [
    { url_id: 'AAAAAAA1', title: 'One', symbol: 'BTCUSD', pine_version: 5, comments_count: 3 },
    { url_id: 'AAAAAAA2', title: 'Two', likes: 9 },
    { url_id: 'AAAAAAA3', title: 'Three', likes: 7 },
  ]);
  await ground.project();
  explorer = await startTestExplorer(ground);
});
afterAll(async () => {
  await explorer.close();
  await ground.close();
});

const titlesOf = async (ids: string): Promise<readonly string[]> => {
  const response = await explorer.get(`${explorerRoutes.compare}?ids=${ids}`);
  expect(response.status).toBe(200);
  return ComparedStrategies.parse(await response.json()).strategies.map(({ title }) => title);
};

describe('strategies side by side', () => {
  it('come in the order asked, each once, without those that are not there', async () => {
    expect(await titlesOf('AAAAAAA1,ZZZZZZZZ,AAAAAAA3,AAAAAAA1')).toEqual(['One', 'Three']);
    expect(await titlesOf('')).toEqual([]);
  });

  it('say more than a card does', async () => {
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

  it('are closed to visitors', async () => {
    expect((await fetch(`${explorer.url}${explorerRoutes.compare}?ids=AAAAAAA1`)).status).toBe(401);
  });
});
