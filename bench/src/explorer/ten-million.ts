import { freemem } from 'node:os';
import { count, ms, say, type Claim } from '../print.ts';
import { randomOf } from '../random.ts';
import { percentile } from '../statistics.ts';
import { engineSubject } from './columnar-subject.ts';
import { drawRanges, readFigures } from './figures.ts';
import { loadEngine } from './load-engine.ts';
import { checkAnswers, fullRefresh, measure } from './measure.ts';

const rows = 10_000_000;
const aim = 30;
/** For the columns and strings of the engine, and the figures of the plain count. */
const neededBytes = 14 * 2 ** 30;

/** The product's engine alone: the others would take hours. */
export const benchTenMillion = async (): Promise<readonly Claim[]> => {
  if (freemem() < neededBytes) {
    const free = count(freemem() / 2 ** 30);
    say(`Skipped ${count(rows)} rows: they need 14 GiB of free memory, and ${free} are free.`);
    say();
    return [];
  }
  const { engine, seconds, megabytes } = await loadEngine(rows);
  const figures = await readFigures(rows, engine);
  const sets = drawRanges(figures, randomOf(rows), 8);
  const subject = engineSubject('Tapedeck columnar', engine);
  await checkAnswers([subject], figures, sets.slice(0, 1));
  const results = await measure([subject], fullRefresh(sets), { rounds: 20, budgetMs: 20_000 });
  await engine.close();
  const millis = results.get(subject)?.all ?? [];
  const p50 = percentile(millis, 0.5);
  say(
    `${count(rows)} rows: loaded in ${seconds.toFixed(0)} s including the generation of the rows, ${count(megabytes)} MB;`,
  );
  say(`full refresh p50 ${ms(p50)} ms, p95 ${ms(percentile(millis, 0.95))} ms; answers equal a plain count.`);
  say();
  return [
    {
      claim: `full refresh of ${count(rows)} rows, p50`,
      aim: `≤ ${aim} ms`,
      measured: `${ms(p50)} ms`,
      reached: p50 <= aim,
    },
  ];
};
