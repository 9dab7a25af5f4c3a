import { referenceKernel } from '@tapedeck/search-engine/testing';
import { count, say, type Claim } from '../print.ts';
import { randomOf } from '../random.ts';
import { benchBrush } from './brush.ts';
import { engineSubject } from './columnar-subject.ts';
import { duckThreads, sayWhoIsMissing } from './contenders.ts';
import { drawRanges, readFigures } from './figures.ts';
import { raceEverybody, type Raced } from './full-refresh.ts';
import { benchIndicators } from './indicators.ts';
import { fallenRatios, readLastRatios, writeRatios, type Ratios } from './last-ratios.ts';
import { loadEngine } from './load-engine.ts';
import type { Pace } from './race.ts';
import { benchStoredLoad } from './stored-load.ts';
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
const textRounds = 3;
const updateRounds = 10;

const benchSize = async (size: Size, isLargest: boolean): Promise<Raced> => {
  const { rows, pace } = size;
  const loaded = await loadEngine(rows);
  const { engine } = loaded;
  const other = await loadEngine(rows, { kernel: referenceKernel });
  const ours = [
    engineSubject('Tapedeck columnar', engine),
    engineSubject('… with the JavaScript kernel', other.engine),
  ];
  const figures = await readFigures(rows, engine);
  const sets = drawRanges(figures, randomOf(rows), rangeSets);
  const { claims, ratios } = await raceEverybody(ours, figures, sets, size);
  await other.engine.close();
  say(
    `With the making of its ${count(rows)} rows the engine loaded in ${loaded.seconds.toFixed(2)} s; the process grew by ${count(loaded.megabytes)} MB.`,
  );
  say();
  const brushClaims = await benchBrush(engine, figures, sets, pace.rounds);
  await benchIndicators(engine, rows, sets, pace.rounds);
  if (!isLargest) {
    await engine.close();
    return { claims, ratios };
  }
  const text = await benchText(engine, rows, randomOf(rows), pace.rounds * textRounds);
  const updates = await benchUpdates(loaded, rows, Math.min(pace.rounds, updateRounds));
  await engine.close();
  const load = await benchStoredLoad(rows);
  return { claims: [...claims, ...brushClaims, text, updates, load], ratios };
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
