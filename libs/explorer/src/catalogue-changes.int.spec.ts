import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { platformRoutes } from '@tapedeck/platform/contract';
import { importStrategies, withdrawStrategy } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { explorerRoutes, StrategyList } from './contract.ts';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

let catalogue: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  catalogue = await createTestCatalogue();
  await importStrategies(catalogue.store, [{ url_id: 'Older001', title: 'Imported before the start' }]);
  explorer = await startTestExplorer(catalogue);
});
afterAll(async () => {
  await explorer.close();
  await catalogue.close();
});

describe('the catalogue of a running API', () => {
  it('shows a write to a reader that sends its position, and marks the answer stale when it cannot', async () => {
    const position = await importStrategies(catalogue.store, [
      { url_id: 'Fresh001', title: 'Freshly imported' },
    ]);
    const path = `${explorerRoutes.filtered}?search=freshly`;
    const response = await explorer.get(path, { 'tape-position': position.toString() });
    expect(response.headers.get('tape-stale')).toBeNull();
    expect(StrategyList.parse(await response.json())).toMatchObject({
      total: 1,
      meta: { position: `${position}` },
    });
    const late = await explorer.get(path, { 'tape-position': `${position + 1_000_000n}` });
    expect([late.status, late.headers.get('tape-stale')]).toEqual([200, 'true']);

    const withdrawn = await withdrawStrategy(catalogue.store, 'Fresh001');
    const after = await explorer.get(path, { 'tape-position': withdrawn.toString() });
    expect(StrategyList.parse(await after.json())).toMatchObject({
      total: 0,
      meta: { position: `${withdrawn}` },
    });
  });

  it('reports the demo catalogue while it has generated strategies', async () => {
    const demoOf = async (position: bigint): Promise<readonly unknown[]> => {
      const headers = { 'tape-position': position.toString() };
      const list = StrategyList.parse(await (await explorer.get(explorerRoutes.filtered, headers)).json());
      return [list.meta.demo, explorer.hasDemo()];
    };
    const imported = await importStrategies(catalogue.store, [{ url_id: 'Demo0001', title: 'Generated' }]);
    expect(await demoOf(imported)).toEqual([true, true]);
    expect(await demoOf(await withdrawStrategy(catalogue.store, 'Demo0001'))).toEqual([false, false]);
  });

  it('sends its position to listening browsers, and ends the stream with the application', async () => {
    const other = await startTestExplorer(catalogue);
    const response = await other.get(platformRoutes.changes);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let received = '';
    const receive = async (position: bigint): Promise<void> => {
      while (!received.includes(`data: {"topic":"catalogue","position":"${position}"}`)) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error(`The stream ended before position ${position}: ${received}`);
        received += value;
      }
    };
    const list = StrategyList.parse(await (await other.get(explorerRoutes.filtered)).json());
    await receive(BigInt(list.meta.position));
    await receive(await importStrategies(catalogue.store, [{ url_id: 'Recent01', title: 'Recent' }]));
    const closed = other.close();
    for (;;) if ((await reader?.read())?.done ?? true) break;
    await closed;
  });

  it('is ready after loading', async () => {
    expect(await (await explorer.get('/health/ready')).json()).toMatchObject({ checks: { explorer: 'ok' } });
  });
});
