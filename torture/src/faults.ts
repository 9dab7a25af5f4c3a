import { setTimeout } from 'node:timers/promises';
import type { TcpProxy } from '@tapedeck/eventing/servers';
import type { Cluster } from './cluster.ts';
import type { SupervisedProcess } from './processes.ts';
import type { Random } from './random.ts';

/** A process of the product with the network between it and the database. */
export type Client = Readonly<{ process: SupervisedProcess; proxy: TcpProxy }>;

export type Targets = Readonly<{
  cluster: Cluster;
  clients: readonly Client[];
  /** Proxies of clients without a process of their own. */
  proxies: readonly TcpProxy[];
}>;

/** Breaks something and mends it again; resolves when it is mended. */
type Fault = (targets: Targets, random: Random) => Promise<void>;

const suspendMs = 10_000;

const allProxies = ({ clients, proxies }: Targets): readonly TcpProxy[] => [
  ...clients.map(({ proxy }) => proxy),
  ...proxies,
];

const breakNetwork = async (
  targets: Targets,
  random: Random,
  how: (proxy: TcpProxy) => void,
  forMs: number,
): Promise<void> => {
  const proxy = random.pick(allProxies(targets));
  how(proxy);
  await setTimeout(forMs);
  proxy.pass();
};

/**
 * Each fault with how often it is chosen among all. The next fault waits for the end of an exclusive one, because only
 * one can replace the server.
 */
export const faults: Readonly<
  Record<string, Readonly<{ weight: number; inject: Fault; isExclusive?: boolean }>>
> = {
  'process killed': {
    weight: 26,
    inject: async ({ clients }, random) => random.pick(clients).process.kill(),
  },
  'connection terminated': {
    weight: 26,
    inject: async ({ cluster }, random) => void (await cluster.terminateBackend(random.uniform())),
  },
  'network cut': {
    weight: 20,
    inject: (targets, random) =>
      breakNetwork(targets, random, (proxy) => proxy.cut(), random.between(50, 2_000)),
  },
  'network silent': {
    weight: 10,
    inject: (targets, random) =>
      breakNetwork(targets, random, (proxy) => proxy.freeze(), random.between(100, 8_000)),
  },
  'network slow': {
    weight: 6,
    inject: (targets, random) => breakNetwork(targets, random, (proxy) => proxy.delay(40), 1_500),
  },
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
};

export const pickFault = (random: Random): string => {
  const all = Object.entries(faults);
  let rest = random.uniform() * all.reduce((sum, [, { weight }]) => sum + weight, 0);
  for (const [name, { weight }] of all) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return 'process killed';
};
