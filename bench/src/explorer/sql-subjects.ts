import { facetFields } from '@tapedeck/search-engine/contract';
import { firstRows, sortFacet, type Figures } from './figures.ts';
import type { SqlDatabase } from './sql-databases.ts';
import type { Contender, Subject } from './subject.ts';

const facets = facetFields.map((_, facet) => facet);
const passes = (facet: number): string =>
  `f${facet} between $${2 * facet + 1}::float8 and $${2 * facet + 2}::float8`;
const passAll = (some: readonly number[]): string => some.map(passes).join(' and ');

const firstStatement = `select id from strategies where ${passAll(facets)}
  order by f${sortFacet} desc nulls last, id limit ${firstRows}`;

/** The facet's own range is used only for counting the rows inside it, so that the statement has all parameters. */
const histogramStatement = (facet: number): string => `
  select ${facet}, b${facet}, count(*), count(*) filter (where ${passes(facet)}) from strategies
  where ${passAll(facets.filter((other) => other !== facet))} group by b${facet}`;

const failures = facets
  .map((facet) => `(not coalesce(${passes(facet)}, false))::int * ${1 << facet}`)
  .join(' + ');
const bins = facets.map((facet) => `b${facet}`).join(', ');

/** All histograms in one pass: the bits of `failed` are the ranges that a row fails; rows that fail two count nowhere. */
const onePassStatement = `
  with counting as materialized (
    select * from (select ${bins}, ${failures} as failed from strategies) marked
    where (failed & (failed - 1)) = 0
  ) ${facets
    .map(
      (facet) => `select ${facet}, b${facet}, count(*), count(*) filter (where failed = 0)
        from counting where (failed & ~${1 << facet}) = 0 group by b${facet}`,
    )
    .join(' union all ')}`;

const sqlSubject = (
  name: string,
  database: SqlDatabase,
  statements: readonly string[],
  lengths: readonly number[],
): Subject => ({
  name,
  kind: 'stateless',
  refresh: async (ranges) => {
    const bounds = ranges.flatMap(({ low, high }) => [low, high]);
    const first = await database.query(firstStatement, bounds);
    const histograms = lengths.map((length) => Array.from({ length }, () => 0));
    const inside = facets.map(() => 0);
    for (const statement of statements) {
      for (const row of await database.query(statement, bounds)) {
        const [facet = 0, bin = 0, count = 0, passing = 0] = row.map(Number);
        const counts = histograms[facet];
        if (counts) counts[bin] = count;
        inside[facet] = (inside[facet] ?? 0) + passing;
      }
    }
    return { total: inside[0] ?? 0, first: first.map(([id]) => String(id)), histograms };
  },
});

/** Both forms of a database: one statement per histogram, and all histograms in one statement. */
export const sqlContender = async (database: SqlDatabase, figures: Figures): Promise<Contender> => {
  await database.load(figures);
  const lengths = figures.edges.map((edges) => edges.length);
  return {
    subjects: [
      sqlSubject(
        `${database.name}, a statement per histogram`,
        database,
        facets.map(histogramStatement),
        lengths,
      ),
      sqlSubject(`${database.name}, one pass`, database, [onePassStatement], lengths),
    ],
    close: database.close,
  };
};
