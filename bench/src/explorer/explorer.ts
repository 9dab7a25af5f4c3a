import { javascriptKernel } from '@tapedeck/explorer/engine';
import { count, ms, say, table, times, type Claim } from '../print.ts';
import { randomOf } from '../random.ts';
import { percentile } from '../statistics.ts';
import { benchBrush } from './brush.ts';
import { engineSubject } from './columnar-subject.ts';
import { duckThreads, openContenders, sayWhoIsMissing } from './contenders.ts';
import { drawRanges, readFigures, type Ranges } from './figures.ts';
import { benchIndicators } from './indicators.ts';
import { fallenRatios, readLastRatios, writeRatios, type Ratios } from './last-ratios.ts';
import { loadEngine, type Loaded } from './load-engine.ts';
import { checkAnswers, fullRefresh, oneSliderMoved, race, withOneMoved, type Pace } from './race.ts';
import type { Subject } from './subject.ts';
import { benchTenMillion } from './ten-million.ts';
import { benchText } from './text-search.ts';
import { benchUpdates } from './updates.ts';

type Size = Readonly<{
  rows: number;
  aim: number;
  pace: Pace;
}>;

const fullSizes: readonly Size[] = [
  { rows: 4_500, aim: 0.02, pace: { rounds: 200, budget: 10_000 } },
  { rows: 100_000, aim: 0.25, pace: { rounds: 60, budget: 10_000 } },
  { rows: 1_000_000, aim: 3, pace: { rounds: 20, budget: 15_000 } },
];
const quickPace: Pace = { rounds: 3, budget: 500 };
const quickSizes: readonly Size[] = [
  { rows: 4_500, aim: 0.02, pace: quickPace },
  { rows: 20_000, aim: 0.05, pace: quickPace },
];

const rangeSets = 16;
const checkedSets = 3;
const textRounds = 3;
const updateRounds = 10;
/** How much faster than every other engine that keeps no user's state. */
const lead = 30;

const showRace = (title: string, results: ReadonlyMap<Subject, readonly number[]>): void => {
  const [own = NaN] = [...results.values()].map((all) => percentile(all, 0.5));
  table(
    [title, 'p50 ms', 'p95 ms', 'times ours', 'answers'],
    [...results].map(([{ name }, all]) => {
      const p50 = percentile(all, 0.5);
      return [name, ms(p50), ms(percentile(all, 0.95)), times(p50 / own), count(all.length)];
    }),
  );
};

type Raced = Readonly<{ claims: readonly Claim[]; ratios: Readonly<Record<string, number>> }>;

/** Everybody's answers compared, everybody warm, then in turn. */
const raceAt = async (
  ours: readonly Subject[],
  loaded: Loaded,
  { rows, aim, pace }: Size,
): Promise<Raced> => {
  const figures = await readFigures(rows, loaded.engine);
  const contenders = await openContenders(figures);
  const subjects = [...ours, ...contenders.flatMap(({ subjects }) => subjects)];
  const sets = drawRanges(figures, randomOf(rows), rangeSets);
  const moved = [withOneMoved(sets, 0)];
  const passing = await checkAnswers(subjects, figures, [...sets.slice(0, checkedSets), ...moved]);
  const answers = await race(subjects, fullRefresh(sets), pace);
  const sliders = subjects.filter(({ kind }) => kind === 'ours' || kind === 'stateful');
  const steps = await race(sliders, oneSliderMoved(sets), pace);
  for (const { close } of contenders) await close();

  say(
    `${count(rows)} rows, of which ${count(passing)} pass all eight ranges; all answers equal a plain count.`,
  );
  say(
    `The process has grown by ${count(loaded.megabytes)} MB; with the making of the rows the engine loaded in ${loaded.seconds.toFixed(2)} s.`,
  );
  say();
  showRace('full refresh', answers);
  showRace('one slider moved', steps);

  const [own = NaN] = [...answers.values()].map((all) => percentile(all, 0.5));
  const ratios = [...answers].flatMap(([{ name, kind }, all]) =>
    kind === 'ours' ? [] : [[name, kind, percentile(all, 0.5) / own] as const],
  );
  const [nearest] = ratios.filter(([, kind]) => kind === 'stateless').sort((a, b) => a[2] - b[2]);
  const claims: Claim[] = [
    {
      claim: `full refresh of ${count(rows)} rows, p50`,
      aim: `≤ ${aim} ms`,
      measured: `${ms(own)} ms`,
      reached: own <= aim,
    },
    {
      claim: `… against ${nearest?.[0] ?? 'nobody'}, the nearest`,
      aim: `≥ ${lead}×`,
      measured: times(nearest?.[2] ?? NaN),
      reached: (nearest?.[2] ?? 0) >= lead,
    },
  ];
  return { claims, ratios: Object.fromEntries(ratios.map(([name, , ratio]) => [name, ratio])) };
};

const benchSize = async (size: Size, isLargest: boolean): Promise<Raced> => {
  const { rows, pace } = size;
  const loaded = await loadEngine(rows);
  const { engine } = loaded;
  const other = await loadEngine(rows, { kernel: javascriptKernel });
  const ours = [
    engineSubject('Tapedeck columnar', engine),
    engineSubject('… with the JavaScript kernel', other.engine),
  ];
  const { claims, ratios } = await raceAt(ours, loaded, size);
  await other.engine.close();
  const figures = await readFigures(rows, engine);
  const sets: readonly Ranges[] = drawRanges(figures, randomOf(rows), rangeSets);
  const brushClaims = await benchBrush(engine, figures, sets, pace.rounds);
  await benchIndicators(engine, rows, sets, pace.rounds);
  if (!isLargest) {
    await engine.close();
    return { claims, ratios };
  }
  const text = await benchText(engine, rows, randomOf(rows), pace.rounds * textRounds);
  const updates = await benchUpdates(loaded, rows, Math.min(pace.rounds, updateRounds));
  await engine.close();
  return { claims: [...claims, ...brushClaims, text, ...updates], ratios };
};

const againstLast = async (ratios: Ratios): Promise<Claim> => {
  const fallen = fallenRatios(await readLastRatios(), ratios);
  for (const sentence of fallen) say(`Nearer to us than in the figures that were recorded: ${sentence}.`);
  return {
    claim: 'no lead is half of what it was when figures were last recorded',
    aim: '0 halved',
    measured: `${fallen.length} halved`,
    reached: fallen.length === 0,
  };
};

export const benchExplorer = async (quick: boolean, record: boolean): Promise<readonly Claim[]> => {
  say('Explorer: total, first 12 and eight histograms under eight ranges, each keeping 75 % of the rows;');
  say(
    `DuckDB with ${duckThreads} threads, PostgreSQL without an index, both with the bins beside the figures.`,
  );
  sayWhoIsMissing();
  say();
  const sizes = quick ? quickSizes : fullSizes;
  const claims: Claim[] = [];
  const ratios: Record<string, Readonly<Record<string, number>>> = {};
  for (const size of sizes) {
    const raced = await benchSize(size, size === sizes.at(-1));
    claims.push(...raced.claims);
    ratios[String(size.rows)] = raced.ratios;
  }
  if (quick) return claims;
  claims.push(await againstLast(ratios));
  if (record) await writeRatios(ratios);
  return [...claims, ...(await benchTenMillion())];
};
