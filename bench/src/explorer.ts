import { isDeepStrictEqual } from 'node:util';
import { createColumnarEngine, type ColumnarEngine } from '@tapedeck/explorer/engine';
import { catalogueRows } from './catalogue.ts';
import { freshDatabase } from './databases.ts';
import { countPlainly, drawRanges, readFigures, type Figures, type Ranges } from './figures.ts';
import { count, ms, say, table, times, type Claim } from './print.ts';
import { randomOf } from './random.ts';
import { engineSubject, sqlSubjects, type Subject } from './search-subjects.ts';
import { openDuckDb, openPostgres } from './sql-databases.ts';
import { percentile, timed } from './statistics.ts';
import { benchText } from './text-search.ts';

type Size = Readonly<{ rows: number; aim: number; rounds: number }>;

const fullSizes: readonly Size[] = [
  { rows: 4_500, aim: 0.2, rounds: 200 },
  { rows: 100_000, aim: 4, rounds: 60 },
  { rows: 1_000_000, aim: 40, rounds: 20 },
];
const quickSizes: readonly Size[] = [
  { rows: 4_500, aim: 0.2, rounds: 5 },
  { rows: 20_000, aim: 0.8, rounds: 3 },
];

const duckThreads = 2;
const rangeSets = 16;
const checkedSets = 4;
const warmRounds = 8;
/** The engine answers more often per round: a single answer of it is too short to tell much. */
const engineTurns = 5;
const textRounds = 3;

const heldBytes = (): number => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
};

type Loaded = Readonly<{ engine: ColumnarEngine; seconds: number; megabytes: number }>;

/** Time inside the engine only: the rows are made in between. */
const loadEngine = (rows: number): Loaded => {
  const before = heldBytes();
  const engine = createColumnarEngine();
  const loading = engine.loading(rows);
  let inside = 0;
  for (const row of catalogueRows(rows)) {
    const begun = performance.now();
    loading.add(row);
    inside += performance.now() - begun;
  }
  const begun = performance.now();
  loading.finish();
  inside += performance.now() - begun;
  return { engine, seconds: inside / 1000, megabytes: (heldBytes() - before) / 2 ** 20 };
};

const checkAnswers = async (
  subjects: readonly Subject[],
  figures: Figures,
  sets: readonly Ranges[],
): Promise<number> => {
  let passing = 0;
  for (const ranges of sets.slice(0, checkedSets)) {
    const truth = countPlainly(figures, ranges);
    passing += truth.total / checkedSets;
    for (const { name, refresh } of subjects) {
      if (isDeepStrictEqual(await refresh(ranges), truth)) continue;
      throw new Error(`${name} answers differently from a plain count: its figures would be worth nothing.`);
    }
  }
  return passing;
};

const race = async (
  subjects: readonly Subject[],
  sets: readonly Ranges[],
  rounds: number,
): Promise<ReadonlyMap<string, readonly number[]>> => {
  const millis = new Map(subjects.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    for (const [place, { name, refresh }] of subjects.entries()) {
      for (let turn = 0; turn < (place === 0 ? engineTurns : 1); turn++) {
        const ranges = sets[(round + turn * 3) % sets.length] ?? [];
        millis.get(name)?.push(await timed(() => refresh(ranges)));
      }
    }
  }
  return millis;
};

type Race = Readonly<{ passing: number; millis: ReadonlyMap<string, readonly number[]> }>;

/** Everybody's answers compared, everybody warm, then in turn. */
const raceOver = async (engine: ColumnarEngine, { rows, rounds }: Size): Promise<Race> => {
  const figures = readFigures(rows, engine);
  const databases = [
    await openDuckDb(duckThreads),
    await openPostgres(await freshDatabase('bench_explorer')),
  ];
  for (const database of databases) await database.load(figures);
  const lengths = figures.edges.map((edges) => edges.length);
  const subjects = [
    engineSubject(engine),
    ...databases.flatMap((database) => sqlSubjects(database, lengths)),
  ];
  const sets = drawRanges(figures, randomOf(rows), rangeSets);
  const passing = await checkAnswers(subjects, figures, sets);
  await race(subjects, sets, Math.min(rounds, warmRounds));
  const millis = await race(subjects, sets, rounds);
  for (const database of databases) await database.close();
  return { passing, millis };
};

const benchSize = async (size: Size, withText: boolean): Promise<Claim> => {
  const { rows, aim, rounds } = size;
  const { engine, seconds, megabytes } = loadEngine(rows);
  const { passing, millis } = await raceOver(engine, size);
  const [own = NaN] = [...millis.values()].map((all) => percentile(all, 0.5));
  say(
    `${count(rows)} rows, of which ${count(passing)} pass all eight ranges; all answers equal a plain count.`,
  );
  say(`The engine took ${seconds.toFixed(2)} s to load and holds ${count(megabytes)} MB.`);
  say();
  table(
    ['full refresh', 'p50 ms', 'p95 ms', 'times ours'],
    [...millis].map(([name, all]) => {
      const p50 = percentile(all, 0.5);
      return [name, ms(p50), ms(percentile(all, 0.95)), times(p50 / own)];
    }),
  );
  if (withText) benchText(engine, rows, randomOf(rows), rounds * textRounds);
  return {
    claim: `full refresh of ${count(rows)} rows, p50`,
    aim: `≤ ${aim} ms`,
    measured: `${ms(own)} ms`,
    reached: own <= aim,
  };
};

export const benchExplorer = async (quick: boolean): Promise<readonly Claim[]> => {
  say('Explorer: total, first 12 and eight histograms under eight ranges, each keeping 75 % of the rows;');
  say(
    `DuckDB with ${duckThreads} threads, PostgreSQL without an index, both with the bins beside the figures.`,
  );
  say();
  const sizes = quick ? quickSizes : fullSizes;
  const claims: Claim[] = [];
  for (const size of sizes) claims.push(await benchSize(size, size === sizes.at(-1)));
  return claims;
};
