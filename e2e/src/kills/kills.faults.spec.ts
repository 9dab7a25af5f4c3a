import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { projections } from '@tapedeck/composition/modules';
import { dumpReadModel, poolOf, rebuildInto } from '@tapedeck/eventing/projections';
import { pendingEvents } from '@tapedeck/eventing/reactions';
import { startKillProduct, untilIdle, type KillProduct } from './kill-product.ts';
import { purchase, upgrade } from './purchase.ts';
import { cancelledRebuild, rebuild } from './rebuild.ts';
import { replay } from './replay.ts';
import type { Run } from './scenario.ts';
import { sqlChange } from './sql-change.ts';
import { upload } from './upload.ts';

const maxMs = 120_000;

/** That a kill loses nothing, and doubles nothing: each scenario names the points at which a process is killed. */
const scenarios = [purchase, upgrade, replay, upload, sqlChange, rebuild, cancelledRebuild];

let product: KillProduct;
beforeAll(async () => {
  product = await startKillProduct();
}, maxMs);
afterAll(() => product.close());

describe.each(scenarios)('a process that is killed during $title', ({ open, kills, outcome, checkEnd }) => {
  let run: Run;
  let undisturbed: unknown;
  beforeAll(async () => {
    run = await open(product);
    undisturbed = await run();
  }, maxMs);

  it('is compared with one that is not killed', () => {
    expect(undisturbed).toMatchObject(outcome);
  });

  it.each(kills)(
    '$name leads to the same outcome',
    async (kill) => {
      expect(await run(kill)).toEqual(undisturbed);
    },
    maxMs,
  );

  it(
    'leaves nothing behind',
    async () => {
      await checkEnd?.(product);
      await untilIdle(product);
      expect(await pendingEvents(product.product.databases.tapedeck)).toEqual([]);
    },
    maxMs,
  );
});

it(
  'after all kills every read model equals a rebuild',
  async () => {
    const { databases, store } = product.product;
    for (const projection of projections) {
      const pool = poolOf(databases, projection);
      await rebuildInto({ store, projection, pool });
      const rebuilt = await dumpReadModel(pool, projection, '_check');
      expect([projection.name, await dumpReadModel(pool, projection)]).toEqual([projection.name, rebuilt]);
    }
  },
  maxMs,
);
