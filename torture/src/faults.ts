import { setTimeout } from 'node:timers/promises';
import type { TcpProxy } from '@tapedeck/eventing/servers';
import type { Cluster } from './cluster.ts';
import type { SupervisedProcess } from './processes.ts';
import type { Random } from './random.ts';
import type { SearchServer } from './search-server.ts';
import type { SmallDisk } from './small-disk.ts';
import { productPrefix } from './verify-index.ts';

/** A process of the product with the network between it and the database, and between it and the search server. */
export type Client = Readonly<{ process: SupervisedProcess; proxy: TcpProxy; searchProxy?: TcpProxy }>;

export type Targets = Readonly<{
  cluster: Cluster;
  clients: readonly Client[];
  /** Proxies of clients without a process of their own. */
  proxies: readonly TcpProxy[];
  searchServer: SearchServer | undefined;
  disk: SmallDisk | undefined;
}>;

/** Breaks something and mends it again; resolves when it is mended. */
type Fault = (targets: Targets, random: Random) => Promise<void>;

const suspendMs = 10_000;

type ProxiesOf = (targets: Targets) => readonly TcpProxy[];

const databaseProxies: ProxiesOf = ({ clients, proxies }) => [
  ...clients.map(({ proxy }) => proxy),
  ...proxies,
];

const searchProxies: ProxiesOf = ({ clients }) =>
  clients.flatMap(({ searchProxy }) => (searchProxy ? [searchProxy] : []));

const cut =
  (proxiesOf: ProxiesOf): Fault =>
  (targets, random) =>
    breakNetwork(random.pick(proxiesOf(targets)), (proxy) => proxy.cut(), random.between(50, 2_000));

const freeze =
  (proxiesOf: ProxiesOf): Fault =>
  (targets, random) =>
    breakNetwork(random.pick(proxiesOf(targets)), (proxy) => proxy.freeze(), random.between(100, 8_000));

const slowDown =
  (proxiesOf: ProxiesOf): Fault =>
  (targets, random) =>
    breakNetwork(random.pick(proxiesOf(targets)), (proxy) => proxy.delay(40), 1_500);

const breakNetwork = async (
  proxy: TcpProxy,
  how: (proxy: TcpProxy) => void,
  forMs: number,
): Promise<void> => {
  how(proxy);
  await setTimeout(forMs);
  proxy.pass();
};

type WeightedFault = Readonly<{
  weight: number;
  inject: Fault;
  isExclusive?: boolean;
  needs?: 'searchServer' | 'disk';
}>;

const fillDisk: Fault = async ({ disk, cluster }, random) => {
  if (!disk) return;
  await disk.fill();
  await cluster.useUpSpace();
  await setTimeout(random.between(0, 5_000));
  await disk.free();
  await cluster.restartEnded();
};

/**
 * Each fault with how often it is chosen among all. The next fault waits for the end of an exclusive one, because only
 * one at a time can use the database server or replace it.
 */
export const faults: Readonly<Record<string, WeightedFault>> = {
  'process killed': {
    weight: 26,
    inject: async ({ clients }, random) => random.pick(clients).process.kill(),
  },
  'connection terminated': {
    weight: 26,
    isExclusive: true,
    inject: async ({ cluster }, random) => void (await cluster.terminateBackend(random.uniform())),
  },
  'network cut': { weight: 20, inject: cut(databaseProxies) },
  'network silent': { weight: 10, inject: freeze(databaseProxies) },
  'network slow': { weight: 6, inject: slowDown(databaseProxies) },
  'process suspended': {
    weight: 4,
    inject: async ({ clients }, random) => {
      const { process } = random.pick(clients);
      process.suspend();
      await setTimeout(suspendMs);
      process.resume();
    },
  },
  'database crashed': { weight: 5, isExclusive: true, inject: ({ cluster }) => cluster.crash() },
  'standby promoted': { weight: 3, isExclusive: true, inject: ({ cluster }) => cluster.promoteStandby() },
  'search network cut': { weight: 10, needs: 'searchServer', inject: cut(searchProxies) },
  'search network silent': { weight: 6, needs: 'searchServer', inject: freeze(searchProxies) },
  'search network slow': { weight: 3, needs: 'searchServer', inject: slowDown(searchProxies) },
  // Rare, because it takes the server up to a minute to come back on a busy machine.
  'search server killed': {
    weight: 1.5,
    needs: 'searchServer',
    inject: async ({ searchServer }) => searchServer?.crash(),
  },
  'search server suspended': {
    weight: 3,
    needs: 'searchServer',
    inject: async ({ searchServer }, random) => searchServer?.suspend(random.between(500, 20_000)),
  },
  'search index deleted': {
    weight: 2,
    needs: 'searchServer',
    inject: async ({ searchServer }) => searchServer?.deleteIndexes(productPrefix),
  },
  'disk full': { weight: 4, isExclusive: true, needs: 'disk', inject: fillDisk },
};

/** The faults that are possible with these targets; of those that are `wanted`, if any are named. */
const possibleFaults = (
  targets: Targets,
  wanted: readonly string[],
): readonly (readonly [string, WeightedFault])[] =>
  Object.entries(faults).filter(
    ([name, { needs }]) =>
      (needs === undefined || targets[needs] !== undefined) && (wanted.length === 0 || wanted.includes(name)),
  );

export const pickFault = (random: Random, targets: Targets, wanted: readonly string[]): string => {
  const possible = possibleFaults(targets, wanted);
  let rest = random.uniform() * possible.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const [name, { weight }] of possible) {
    rest -= weight;
    if (rest < 0) return name;
  }
  throw new Error('None of these faults is possible here.');
};
