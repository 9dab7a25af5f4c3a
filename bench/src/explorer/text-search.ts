import { defaultScale } from '@tapedeck/search-engine/contract';
import type { ExplorerRow, SearchEngine } from '@tapedeck/search-engine/engine';
import { catalogueRows, frequentWords } from './catalogue.ts';
import { firstRows, openFilter } from './figures.ts';
import { ms, count, say, table, type Claim } from '../print.ts';
import type { Random } from '../random.ts';
import { percentile } from '../statistics.ts';

const word = (random: Random, from: number, to: number): string =>
  frequentWords[from + random.below(to - from)] ?? 'trend';

const aimMs = 20;

/** Typical searches, from the cheapest to the most expensive. */
const kinds: readonly Readonly<{ name: string; draw: (random: Random) => string }>[] = [
  { name: 'a rare word', draw: (random) => word(random, 5_000, 20_000) },
  { name: 'a frequent word', draw: (random) => word(random, 0, 27) },
  { name: 'two frequent words', draw: (random) => `${word(random, 0, 27)} ${word(random, 0, 200)}` },
  { name: 'the first letters of a word', draw: (random) => word(random, 0, 2_000).slice(0, 2) },
];

/** A complete search: total, first rows and all histograms. */
const search = async (engine: SearchEngine, text: string): Promise<number> => {
  const { total } = await engine.search({
    filter: { ...openFilter, search: text },
    page: { sort: 'likes', order: 'desc', offset: 0, limit: firstRows },
    histograms: defaultScale,
    ranges: true,
  });
  return total;
};

const textOf = ({ title, author, description, categories, spellings }: ExplorerRow): string =>
  ` ${[title, author, description, ...categories, ...spellings].join(' ')}`.toLowerCase();

/** Looks at the text of every row; the catalogue's words have nothing but small letters and digits in them. */
const checkTotals = async (
  engine: SearchEngine,
  size: number,
  searches: readonly string[],
): Promise<void> => {
  const plain = searches.map(() => 0);
  for (const row of catalogueRows(size)) {
    const text = textOf(row);
    searches.forEach((sought, index) => {
      if (sought.split(' ').every((start) => text.includes(` ${start}`)))
        plain[index] = (plain[index] ?? 0) + 1;
    });
  }
  for (const [index, sought] of searches.entries()) {
    const total = await search(engine, sought);
    if (total === plain[index]) continue;
    throw new Error(
      `A search for "${sought}" finds ${total} rows; looking at every row finds ${plain[index]}.`,
    );
  }
};

/** Measures searches of each kind, one kind after the other in each round. */
export const benchText = async (
  engine: SearchEngine,
  size: number,
  random: Random,
  rounds: number,
): Promise<Claim> => {
  await checkTotals(
    engine,
    size,
    kinds.map(({ draw }) => draw(random)),
  );
  const measured = kinds.map(({ name, draw }) => ({ name, draw, millis: [] as number[], totals: 0 }));
  for (let round = 0; round < rounds; round++) {
    for (const kind of measured) {
      const text = kind.draw(random);
      const startedAt = performance.now();
      kind.totals += await search(engine, text);
      kind.millis.push(performance.now() - startedAt);
    }
  }
  const all = { name: 'all of them', millis: measured.flatMap(({ millis }) => millis), totals: NaN };
  say(`Text search over ${count(size)} rows, with all histograms, the ranges and the first ${firstRows}:`);
  say();
  table(
    ['search for', 'p50 ms', 'p95 ms', 'rows found'],
    [...measured, all].map(({ name, millis, totals }) => [
      name,
      ms(percentile(millis, 0.5)),
      ms(percentile(millis, 0.95)),
      Number.isNaN(totals) ? '' : count(totals / rounds),
    ]),
  );
  const p95 = percentile(all.millis, 0.95);
  return {
    claim: `text search over ${count(size)} rows, p95`,
    aim: `< ${aimMs} ms`,
    measured: `${ms(p95)} ms`,
    reached: p95 < aimMs,
  };
};
