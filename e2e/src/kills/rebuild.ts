import { expect } from '@jest/globals';
import { projections } from '@tapedeck/composition/modules';
import type { NewEvent } from '@tapedeck/eventing';
import { dumpReadModel, poolOf, rebuildInto } from '@tapedeck/eventing/projections';
import { eventually, sampleEvent } from '@tapedeck/eventing/testing';
import { newId } from '@tapedeck/kernel';
import { operationsStream, reasonSubject } from '@tapedeck/operations/events';
import { fillCatalogue, type KillProduct } from './kill-product.ts';
import { append, killDuring, type Kill, type Scenario } from './scenario.ts';

/** In the order in which a rebuild reaches them. */
const kills: readonly Kill[] = [
  {
    name: 'when the tables of the standby build are made',
    process: 'projector',
    at: { when: 'after', contains: ['create table if not exists', '_spare"'] },
    left: { RebuildCompleted: false },
  },
  {
    name: 'before the commit of its rows',
    process: 'projector',
    at: { when: 'commit', contains: ['insert into', '_spare"'] },
    left: { RebuildStarted: true, RebuildCompleted: false },
  },
  {
    name: 'during the swap',
    process: 'projector',
    at: { when: 'after', contains: ['rename to "swapped_'] },
    left: { RebuildStarted: true, RebuildCompleted: false },
  },
  {
    name: 'before the commit of the swap',
    process: 'projector',
    at: { when: 'commit', contains: ['rename to "swapped_'] },
    left: { RebuildStarted: true, RebuildCompleted: false },
  },
  {
    name: 'after the swap and before it is recorded',
    process: 'projector',
    at: append('before', 'RebuildCompleted'),
    left: { RebuildStarted: true, RebuildCompleted: false },
  },
];

const projectionOf = (name: string): (typeof projections)[number] => {
  const projection = projections.find((candidate) => candidate.name === name);
  if (!projection) throw new Error(`There is no projection ${name}.`);
  return projection;
};

/** Half of its rows are missing. */
const damage = async ({ product }: KillProduct, name: string): Promise<void> => {
  const projection = projectionOf(name);
  const pool = poolOf(product.databases, projection);
  await pool.query(`delete from ${name}_v${projection.version} where random() < 0.5`);
};

/** Asks for a change of the build, and returns what is recorded of it when the last event is. */
const change = async (
  { product: { store } }: KillProduct,
  name: string,
  events: readonly NewEvent[],
  last: string,
): Promise<readonly string[]> => {
  const stream = operationsStream(name);
  const { length } = await store.readStream(stream, { form: 'sealed' });
  await store.append(stream, length === 0 ? 'NO_STREAM' : 'EXISTS', events);
  const recorded = async (): Promise<readonly string[]> =>
    (await store.readStream(stream, { form: 'sealed' })).slice(length).map(({ type }) => type);
  await eventually(async () => expect(await recorded()).toContain(last), 40_000);
  return recorded();
};

const requested = (projection: string, requestId: string): NewEvent =>
  sampleEvent('RebuildRequested', {
    projection,
    requestId,
    reason: 'Rows are missing',
    personalSubject: reasonSubject(requestId),
  });

export const rebuild: Scenario = {
  title: 'a rebuild',
  kills,
  outcome: { recorded: ['RebuildRequested', 'RebuildStarted', 'RebuildCompleted'], isWhole: true },
  open: async (product) => {
    await fillCatalogue(product);
    return async (kill) => {
      const projection = projectionOf('strategies');
      await damage(product, projection.name);
      const recorded = await killDuring(product, kill, () =>
        change(product, projection.name, [requested(projection.name, newId())], 'RebuildCompleted'),
      );
      const pool = poolOf(product.product.databases, projection);
      await rebuildInto({ store: product.product.store, projection, pool });
      const isWhole =
        (await dumpReadModel(pool, projection)) === (await dumpReadModel(pool, projection, '_check'));
      return { recorded, isWhole };
    };
  },
};

/** The build in use stays. */
export const cancelledRebuild: Scenario = {
  title: 'a rebuild that is cancelled',
  kills: [{ name: 'before that is recorded', process: 'projector', at: append('before', 'ChangeCancelled') }],
  outcome: { recorded: ['RebuildRequested', 'ChangeCancelRequested', 'ChangeCancelled'] },
  open: (product) =>
    Promise.resolve(async (kill) => {
      const projection = 'favourites';
      const requestId = newId();
      const events = [
        requested(projection, requestId),
        sampleEvent('ChangeCancelRequested', { projection, requestId }),
      ];
      return {
        recorded: await killDuring(product, kill, () =>
          change(product, projection, events, 'ChangeCancelled'),
        ),
      };
    }),
};
