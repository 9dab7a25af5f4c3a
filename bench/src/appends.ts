import {
  emmettStore,
  eventBytes,
  makeOurTables,
  ourStore,
  readBackEmmett,
  readBackOurs,
  type AppendStore,
  type Tally,
} from './append-stores.ts';
import { freshDatabase, settle } from './databases.ts';
import { count, ms, say, table, times, type Claim } from './print.ts';
import { median, percentile } from './statistics.ts';

/** Callers at once, and by how much the other store is to be beaten. */
const loads: readonly Readonly<{ callers: number; aim?: number }>[] = [
  { callers: 1 },
  { callers: 8, aim: 3 },
  { callers: 32, aim: 4 },
  { callers: 128, aim: 6 },
];
const latencyAim = 1 / 3;
const eventsPerStream = 10;
const poolSizes = [4, 8, 16, 32, 64];

type Pace = Readonly<{ rounds: number; millis: number }>;
const fullPace: Pace = { rounds: 5, millis: 4_000 };
const quickPace: Pace = { rounds: 2, millis: 400 };

type Sample = Readonly<{ perSecond: number; latencies: readonly number[] }>;

let streams = 0;

/** A caller fills a stream of its own by ten appends, each at its expected version, and begins the next. */
const callUntil = async (store: AppendStore, deadline: number, latencies: number[]): Promise<void> => {
  for (;;) {
    const stream = `strategy-${++streams}`;
    for (let version = 0; version < eventsPerStream; version++) {
      const begun = performance.now();
      if (begun >= deadline) return;
      await store.append(stream, version);
      latencies.push(performance.now() - begun);
    }
  }
};

const measure = async (store: AppendStore, callers: number, millis: number): Promise<Sample> => {
  const latencies: number[] = [];
  const begun = performance.now();
  await Promise.all(Array.from({ length: callers }, () => callUntil(store, begun + millis, latencies)));
  return { perSecond: latencies.length / ((performance.now() - begun) / 1000), latencies };
};

/** The store with the number of connections that serves it best at this load, tried out here and now. */
const bestOf = async (
  open: (connections: number) => AppendStore,
  callers: number,
  millis: number,
): Promise<AppendStore> => {
  let best: Readonly<{ store: AppendStore; perSecond: number }> | undefined;
  for (const connections of new Set(poolSizes.map((size) => Math.min(size, callers)))) {
    const store = open(connections);
    await measure(store, callers, millis / 4);
    const { perSecond } = await measure(store, callers, millis);
    const [better, worse] =
      best && best.perSecond >= perSecond ? [best, store] : [{ store, perSecond }, best?.store];
    await worse?.close();
    best = better;
  }
  if (!best) throw new Error('There was no pool to try.');
  return best.store;
};

type Comparison = Readonly<{ ours: readonly Sample[]; theirs: readonly Sample[] }>;

const compare = async (
  ours: AppendStore,
  theirs: AppendStore,
  callers: number,
  { rounds, millis }: Pace,
): Promise<Comparison> => {
  await measure(ours, callers, millis / 2);
  await settle();
  const samples: { ours: Sample[]; theirs: Sample[] } = { ours: [], theirs: [] };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) samples.ours.push(await measure(ours, callers, millis));
    samples.theirs.push(await measure(theirs, callers, millis));
    if (round % 2 === 1) samples.ours.push(await measure(ours, callers, millis));
  }
  return samples;
};

const speed = (samples: readonly Sample[]): number => median(samples.map(({ perSecond }) => perSecond));
const latency = (samples: readonly Sample[], p: number): number =>
  percentile(
    samples.flatMap(({ latencies }) => latencies),
    p,
  );

type Result = Readonly<{ callers: number; aim?: number; connections: number; comparison: Comparison }>;

/** Round against round, so that what slows the machine for a while slows both. */
const ratioOf = ({ ours, theirs }: Comparison): number =>
  median(ours.map(({ perSecond }, round) => perSecond / (theirs[round]?.perSecond ?? NaN)));
const latencyShare = ({ ours, theirs }: Comparison): number => latency(ours, 0.5) / latency(theirs, 0.5);

const columns = "callers|Tapedeck/s|emmett/s|ratio|p50 ms|emmett's|share|p99 ms|emmett's|its pool".split('|');

const rowOf = ({ callers, connections, comparison }: Result): readonly string[] => {
  const { ours, theirs } = comparison;
  return [
    String(callers),
    count(speed(ours)),
    count(speed(theirs)),
    times(ratioOf(comparison)),
    ms(latency(ours, 0.5)),
    ms(latency(theirs, 0.5)),
    latencyShare(comparison).toFixed(2),
    ms(latency(ours, 0.99)),
    ms(latency(theirs, 0.99)),
    String(connections),
  ];
};

const claimsOf = ({ callers, aim, comparison }: Result): readonly Claim[] => {
  if (aim === undefined) return [];
  const [ratio, share] = [ratioOf(comparison), latencyShare(comparison)];
  return [
    {
      claim: `appends/s against emmett, ${callers} callers`,
      aim: `≥ ${aim}×`,
      measured: times(ratio),
      reached: ratio >= aim,
    },
    {
      claim: `p50 of an append against emmett's, ${callers} callers`,
      aim: '< 0.33',
      measured: share.toFixed(2),
      reached: share < latencyAim,
    },
  ];
};

const checkStored = async (
  urls: Readonly<{ ours: string; theirs: string }>,
  tallies: Readonly<{ ours: Tally; theirs: Tally }>,
): Promise<void> => {
  const [ours, theirs] = [await readBackOurs(urls.ours), await readBackEmmett(urls.theirs)];
  table(
    ['read back', 'acknowledged', 'rows', 'streams with a gap'],
    [
      ['Tapedeck', count(tallies.ours.acknowledged), count(ours.events), count(ours.brokenStreams)],
      ['emmett', count(tallies.theirs.acknowledged), count(theirs.events), count(theirs.brokenStreams)],
    ],
  );
  const lost = ours.events !== tallies.ours.acknowledged || theirs.events !== tallies.theirs.acknowledged;
  if (lost || ours.brokenStreams + theirs.brokenStreams > 0) {
    throw new Error('What was acknowledged is not what is stored: the figures above are worth nothing.');
  }
};

export const benchAppends = async (quick: boolean): Promise<readonly Claim[]> => {
  const urls = { ours: await freshDatabase('bench_tape'), theirs: await freshDatabase('bench_emmett') };
  await makeOurTables(urls.ours);
  const pace = quick ? quickPace : fullPace;
  say(`Appends: one event of ${eventBytes} bytes each, ten to a stream, each at its expected version;`);
  say(`${pace.rounds} rounds of ${pace.millis / 1000} s for each store, in turn.`);
  say();
  const tallies = { ours: { acknowledged: 0 }, theirs: { acknowledged: 0 } };
  const ours = ourStore(urls.ours, tallies.ours);
  const results: Result[] = [];
  for (const load of loads) {
    const open = (connections: number): AppendStore => emmettStore(urls.theirs, tallies.theirs, connections);
    const theirs = await bestOf(open, load.callers, pace.millis / 2);
    const comparison = await compare(ours, theirs, load.callers, pace);
    results.push({ ...load, connections: theirs.connections, comparison });
    await theirs.close();
  }
  await ours.close();
  table(columns, results.map(rowOf));
  await checkStored(urls, tallies);
  return results.flatMap(claimsOf);
};
