import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { explorerRoutes, StrategyList } from './contract.ts';
import { importStrategies, withdrawStrategy } from '@tapedeck/search-engine/testing';
import { createTestCatalogue, type TestCatalogue } from '@tapedeck/search-engine/testing';
import { startTestExplorer, type TestExplorer } from './testing/test-explorer.ts';

let ground: TestCatalogue;
let explorer: TestExplorer;

beforeAll(async () => {
  ground = await createTestCatalogue();
  await importStrategies(ground.store, [{ url_id: 'Older001', title: 'There from the start' }]);
  explorer = await startTestExplorer(ground);
});
afterAll(async () => {
  await explorer.close();
  await ground.close();
});

describe('a catalogue that moves', () => {
  it('shows its own writes to who asks with their position, and says when it cannot', async () => {
    const position = await importStrategies(ground.store, [
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

    const withdrawn = await withdrawStrategy(ground.store, 'Fresh001');
    const after = await explorer.get(path, { 'tape-position': withdrawn.toString() });
    expect(StrategyList.parse(await after.json())).toMatchObject({
      total: 0,
      meta: { position: `${withdrawn}` },
    });
  });

  it('says that the demo catalogue is in for as long as it is', async () => {
    const demoOf = async (position: bigint): Promise<readonly unknown[]> => {
      const headers = { 'tape-position': position.toString() };
      const list = StrategyList.parse(await (await explorer.get(explorerRoutes.filtered, headers)).json());
      return [list.meta.demo, explorer.hasDemo()];
    };
    const imported = await importStrategies(ground.store, [{ url_id: 'Demo0001', title: 'Generated' }]);
    expect(await demoOf(imported)).toEqual([true, true]);
    expect(await demoOf(await withdrawStrategy(ground.store, 'Demo0001'))).toEqual([false, false]);
  });

  it('tells listening browsers its position, and ends with the application', async () => {
    const other = await startTestExplorer(ground);
    const response = await other.get(explorerRoutes.changes);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let heard = '';
    const hear = async (position: bigint): Promise<void> => {
      while (!heard.includes(`data: {"position":"${position}"}`)) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) throw new Error(`The stream ended before position ${position}: ${heard}`);
        heard += value;
      }
    };
    const list = StrategyList.parse(await (await other.get(explorerRoutes.filtered)).json());
    await hear(BigInt(list.meta.position));
    await hear(await importStrategies(ground.store, [{ url_id: 'Heard001', title: 'Heard' }]));
    const closed = other.close();
    for (;;) if ((await reader?.read())?.done ?? true) break;
    await closed;
  });

  it('is ready once it is loaded', async () => {
    expect(await (await explorer.get('/health/ready')).json()).toMatchObject({ checks: { explorer: 'ok' } });
  });
});
