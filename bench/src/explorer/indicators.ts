import type { SearchEngine } from '@tapedeck/search-engine/engine';
import { count, ms, say } from '../print.ts';
import { percentile, timed } from '../statistics.ts';
import { catalogueRows } from './catalogue.ts';
import { filterOf } from './columnar-subject.ts';
import { openFilter, type Ranges } from './figures.ts';

/** The indicators of this catalogue are single words, so that their totals equal those of a search for them. */
const checkCounts = async (engine: SearchEngine, rows: number): Promise<number> => {
  const { counts } = await engine.countIndicators(openFilter);
  const labels = new Set<string>();
  for (const { categories } of catalogueRows(Math.min(rows, 1_000))) {
    for (const label of categories) labels.add(label);
  }
  for (const label of labels) {
    const { total } = await engine.search({ filter: { ...openFilter, search: label } });
    if (counts.get(label) === total) continue;
    throw new Error(`The total of the indicator ${label} is ${counts.get(label)}; a search finds ${total}.`);
  }
  return counts.size;
};

/** Measures counting the strategies of each indicator, with all ranges. */
export const benchIndicators = async (
  engine: SearchEngine,
  rows: number,
  sets: readonly Ranges[],
  rounds: number,
): Promise<void> => {
  const labels = await checkCounts(engine, rows);
  const millis: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const filter = filterOf(sets[round % sets.length] ?? []);
    millis.push(await timed(() => engine.countIndicators(filter)));
  }
  const [p50, p95] = [percentile(millis, 0.5), percentile(millis, 0.95)];
  say(`Totals of ${labels} indicators over ${count(rows)} rows: p50 ${ms(p50)} ms, p95 ${ms(p95)} ms.`);
  say();
};
