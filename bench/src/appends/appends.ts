import {
  emmettStore,
  eventBytes,
  countStoredByEmmett,
  countStoredByTapedeck,
  createTapedeckTables,
  tapedeckStore,
  type AppendStore,
  type Tally,
} from './append-stores.ts';
import { freshDatabase, runCheckpoint } from '../databases.ts';
import { count, ms, say, table, times, type Claim } from '../print.ts';
import { median, percentile } from '../statistics.ts';

/** Numbers of concurrent callers; `aim` is the ratio of the speeds that Tapedeck is to reach. */
const loads: readonly Readonly<{ callers: number; aim?: number }>[] = [
  { callers: 1 },
  { callers: 8, aim: 3 },
  { callers: 32, aim: 4 },
  { callers: 128, aim: 6 },
];
const latencyAim = 1 / 3;
const eventsPerStream = 10;
const poolSizes = [4, 8, 16, 32, 64];

type Duration = Readonly<{ rounds: number; roundMs: number }>;
const fullDuration: Duration = { rounds: 5, roundMs: 4_000 };
const quickDuration: Duration = { rounds: 2, roundMs: 400 };

type Sample = Readonly<{ perSecond: number; latenciesMs: readonly number[] }>;

let streams = 0;

/** One caller: fills a new stream by ten appends, each with its expected version, then the next stream. */
const appendUntil = async (store: AppendStore, deadline: number, latenciesMs: number[]): Promise<void> => {
  for (;;) {
    const stream = `strategy-${++streams}`;
    for (let version = 0; version < eventsPerStream; version++) {
      const started = performance.now();
      if (started >= deadline) return;
      await store.append(stream, version);
      latenciesMs.push(performance.now() - started);
    }
  }
};

const measure = async (store: AppendStore, callers: number, durationMs: number): Promise<Sample> => {
  const latenciesMs: number[] = [];
  const started = performance.now();
  await Promise.all(
    Array.from({ length: callers }, () => appendUntil(store, started + durationMs, latenciesMs)),
  );
  return { perSecond: latenciesMs.length / ((performance.now() - started) / 1000), latenciesMs };
};

/** Tries pools of several sizes and returns the store with the one that is fastest at this load. */
const openWithBestPool = async (
  open: (connections: number) => AppendStore,
  callers: number,
  durationMs: number,
): Promise<AppendStore> => {
  let best: Readonly<{ store: AppendStore; perSecond: number }> | undefined;
  for (const connections of new Set(poolSizes.map((size) => Math.min(size, callers)))) {
    const store = open(connections);
    await measure(store, callers, durationMs / 4);
    const { perSecond } = await measure(store, callers, durationMs);
    const [better, worse] =
      best && best.perSecond >= perSecond ? [best, store] : [{ store, perSecond }, best?.store];
    await worse?.close();
    best = better;
  }
  if (!best) throw new Error('There is no pool size to try.');
  return best.store;
};

type Comparison = Readonly<{ tapedeck: readonly Sample[]; emmett: readonly Sample[] }>;

const compare = async (
  tapedeck: AppendStore,
  emmett: AppendStore,
  callers: number,
  { rounds, roundMs }: Duration,
): Promise<Comparison> => {
  await measure(tapedeck, callers, roundMs / 2);
  await runCheckpoint();
  const samples: { tapedeck: Sample[]; emmett: Sample[] } = { tapedeck: [], emmett: [] };
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) samples.tapedeck.push(await measure(tapedeck, callers, roundMs));
    samples.emmett.push(await measure(emmett, callers, roundMs));
    if (round % 2 === 1) samples.tapedeck.push(await measure(tapedeck, callers, roundMs));
  }
  return samples;
};

const speed = (samples: readonly Sample[]): number => median(samples.map(({ perSecond }) => perSecond));
const latencyMs = (samples: readonly Sample[], p: number): number =>
  percentile(
    samples.flatMap(({ latenciesMs }) => latenciesMs),
    p,
  );

type Result = Readonly<{ callers: number; aim?: number; connections: number; comparison: Comparison }>;

/** The median of the ratios of each round: when the machine is slow for a while, both stores are. */
const ratioOf = ({ tapedeck, emmett }: Comparison): number =>
  median(tapedeck.map(({ perSecond }, round) => perSecond / (emmett[round]?.perSecond ?? NaN)));
const latencyShare = ({ tapedeck, emmett }: Comparison): number =>
  latencyMs(tapedeck, 0.5) / latencyMs(emmett, 0.5);

const columns =
  'callers|Tapedeck/s|emmett/s|ratio|p50 ms|emmett p50|share|p99 ms|emmett p99|emmett pool'.split('|');

const rowOf = ({ callers, connections, comparison }: Result): readonly string[] => {
  const { tapedeck, emmett } = comparison;
  return [
    String(callers),
    count(speed(tapedeck)),
    count(speed(emmett)),
    times(ratioOf(comparison)),
    ms(latencyMs(tapedeck, 0.5)),
    ms(latencyMs(emmett, 0.5)),
    latencyShare(comparison).toFixed(2),
    ms(latencyMs(tapedeck, 0.99)),
    ms(latencyMs(emmett, 0.99)),
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
  urls: Readonly<{ tapedeck: string; emmett: string }>,
  tallies: Readonly<{ tapedeck: Tally; emmett: Tally }>,
): Promise<void> => {
  const tapedeck = await countStoredByTapedeck(urls.tapedeck);
  const emmett = await countStoredByEmmett(urls.emmett);
  table(
    ['read back', 'acknowledged', 'rows', 'streams with a gap'],
    [
      [
        'Tapedeck',
        count(tallies.tapedeck.acknowledged),
        count(tapedeck.events),
        count(tapedeck.brokenStreams),
      ],
      ['emmett', count(tallies.emmett.acknowledged), count(emmett.events), count(emmett.brokenStreams)],
    ],
  );
  const differs =
    tapedeck.events !== tallies.tapedeck.acknowledged || emmett.events !== tallies.emmett.acknowledged;
  if (differs || tapedeck.brokenStreams + emmett.brokenStreams > 0) {
    throw new Error('The stored events differ from the acknowledged ones: the results above are invalid.');
  }
};

export const benchAppends = async (quick: boolean): Promise<readonly Claim[]> => {
  const urls = { tapedeck: await freshDatabase('bench_tape'), emmett: await freshDatabase('bench_emmett') };
  await createTapedeckTables(urls.tapedeck);
  const duration = quick ? quickDuration : fullDuration;
  say(`Appends: one event of ${eventBytes} bytes each, ten per stream, each with its expected version;`);
  say(`${duration.rounds} rounds of ${duration.roundMs / 1000} s for each store, alternating.`);
  say();
  const tallies = { tapedeck: { acknowledged: 0 }, emmett: { acknowledged: 0 } };
  const tapedeck = tapedeckStore(urls.tapedeck, tallies.tapedeck);
  const results: Result[] = [];
  for (const load of loads) {
    const open = (connections: number): AppendStore => emmettStore(urls.emmett, tallies.emmett, connections);
    const emmett = await openWithBestPool(open, load.callers, duration.roundMs / 2);
    const comparison = await compare(tapedeck, emmett, load.callers, duration);
    results.push({ ...load, connections: emmett.connections, comparison });
    await emmett.close();
  }
  await tapedeck.close();
  table(columns, results.map(rowOf));
  await checkStored(urls, tallies);
  return results.flatMap(claimsOf);
};
