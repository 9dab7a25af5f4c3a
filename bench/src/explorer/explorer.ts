import { facetFields } from '@tapedeck/search-engine/contract';
import { count, say, type Claim } from '../print.ts';
import { randomOf } from '../random.ts';
import { benchBrush } from './brush.ts';
import { engineSubject } from './columnar-subject.ts';
import { duckThreads, printMissingContenders } from './contenders.ts';
import { drawRanges, readFigures } from './figures.ts';
import { measureFullRefresh, type SizeResult } from './full-refresh.ts';
import { benchIndicators } from './indicators.ts';
import { shrunkRatios, readLastRatios, writeRatios, type Ratios } from './last-ratios.ts';
import { loadEngine } from './load-engine.ts';
import type { Effort } from './measure.ts';
import { benchStoredLoad } from './stored-load.ts';
import { benchTenMillion } from './ten-million.ts';
import { benchText } from './text-search.ts';
import { benchUpdates } from './updates.ts';

type Size = Readonly<{
  rows: number;
  aim: number;
  effort: Effort;
}>;

const fullSizes: readonly Size[] = [
  { rows: 4_500, aim: 0.02, effort: { rounds: 200, budgetMs: 10_000 } },
  { rows: 100_000, aim: 0.25, effort: { rounds: 60, budgetMs: 10_000 } },
  { rows: 1_000_000, aim: 3, effort: { rounds: 20, budgetMs: 15_000 } },
];
const quickEffort: Effort = { rounds: 3, budgetMs: 500 };
const quickSizes: readonly Size[] = [
  { rows: 4_500, aim: 0.02, effort: quickEffort },
  { rows: 20_000, aim: 0.05, effort: quickEffort },
];

const rangeSets = 16;
const textRounds = 3;
const updateRounds = 10;

const benchSize = async (size: Size, isLargest: boolean): Promise<SizeResult> => {
  const { rows, effort } = size;
  const loaded = await loadEngine(rows);
  const { engine } = loaded;
  const ours = [engineSubject('Tapedeck columnar', engine)];
  const figures = await readFigures(rows, engine);
  const sets = drawRanges(figures, randomOf(rows), rangeSets);
  const { claims, ratios } = await measureFullRefresh(ours, figures, sets, size);
  say(
    `The engine loaded in ${loaded.seconds.toFixed(2)} s, including the generation of its ${count(rows)} rows; the process grew by ${count(loaded.megabytes)} MB.`,
  );
  say();
  const brushClaims = await benchBrush(engine, figures, sets, effort.rounds);
  await benchIndicators(engine, rows, sets, effort.rounds);
  if (!isLargest) {
    await engine.close();
    return { claims, ratios };
  }
  const text = await benchText(engine, rows, randomOf(rows), effort.rounds * textRounds);
  const updates = await benchUpdates(loaded, rows, Math.min(effort.rounds, updateRounds));
  await engine.close();
  const load = await benchStoredLoad(rows);
  return { claims: [...claims, ...brushClaims, text, updates, load], ratios };
};

const compareWithLast = async (ratios: Ratios): Promise<Claim> => {
  const shrunk = shrunkRatios(await readLastRatios(), ratios);
  for (const sentence of shrunk) say(`A smaller lead than in the last recorded run: ${sentence}.`);
  return {
    claim: 'no lead is half of the last recorded one',
    aim: '0 halved',
    measured: `${shrunk.length} halved`,
    reached: shrunk.length === 0,
  };
};

export const benchExplorer = async (quick: boolean, record: boolean): Promise<readonly Claim[]> => {
  say(
    `Explorer: total, first 12 and histograms of ${facetFields.length} facets, each with a range that passes 75 % of the rows;`,
  );
  say(
    `DuckDB with ${duckThreads} threads, PostgreSQL without an index, both with the bins beside the figures.`,
  );
  printMissingContenders();
  say();
  const sizes = quick ? quickSizes : fullSizes;
  const claims: Claim[] = [];
  const ratios: Record<string, Readonly<Record<string, number>>> = {};
  for (const size of sizes) {
    const result = await benchSize(size, size === sizes.at(-1));
    claims.push(...result.claims);
    ratios[String(size.rows)] = result.ratios;
  }
  if (quick) return claims;
  claims.push(await compareWithLast(ratios));
  if (record) await writeRatios(ratios);
  return [...claims, ...(await benchTenMillion())];
};
