import { setTimeout } from 'node:timers/promises';
import type { TcpProxy } from '@tapedeck/eventing/servers';
import type { Cluster } from './cluster.ts';
import type { SupervisedProcess } from './processes.ts';
import type { Random } from './random.ts';
import type { SearchServer } from './search-server.ts';

/** A process of the product with the network between it and the database, and between it and the search server. */
export type Client = Readonly<{ process: SupervisedProcess; proxy: TcpProxy; searchProxy?: TcpProxy }>;

export type Targets = Readonly<{
  cluster: Cluster;
  clients: readonly Client[];
  /** Proxies of clients without a process of their own. */
  proxies: readonly TcpProxy[];
  searchServer: SearchServer | undefined;
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
  needsSearchServer?: boolean;
}>;

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
  'search network cut': { weight: 10, needsSearchServer: true, inject: cut(searchProxies) },
  'search network silent': { weight: 6, needsSearchServer: true, inject: freeze(searchProxies) },
  'search network slow': { weight: 3, needsSearchServer: true, inject: slowDown(searchProxies) },
  // Rare, because it takes the server up to a minute to come back on a busy machine.
  'search server killed': {
    weight: 1.5,
    needsSearchServer: true,
    inject: async ({ searchServer }) => searchServer?.crash(),
  },
};

export const pickFault = (random: Random, hasSearchServer: boolean): string => {
  const possible = Object.entries(faults).filter(
    ([, { needsSearchServer }]) => hasSearchServer || !needsSearchServer,
  );
  let rest = random.uniform() * possible.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const [name, { weight }] of possible) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return 'process killed';
};
