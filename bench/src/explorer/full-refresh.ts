import { count, ms, say, table, times, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';
import { openContenders } from './contenders.ts';
import type { Figures, Ranges } from './figures.ts';
import {
  checkAnswers,
  fullRefresh,
  oneSliderMoved,
  race,
  withOneMoved,
  type Answers,
  type Pace,
} from './race.ts';
import type { Subject } from './subject.ts';

const checkedSets = 3;
/** How much faster than every other engine that keeps no user's state. */
const lead = 30;

type Results = ReadonlyMap<Subject, Answers>;

const show = (title: string, results: Results): void => {
  const [own = NaN] = [...results.values()].map(({ all }) => percentile(all, 0.5));
  table(
    [title, 'p50 ms', 'p95 ms', 'times ours', 'answers', 'p50 of the first in a turn'],
    [...results].map(([{ name }, { all, first }]) => {
      const p50 = percentile(all, 0.5);
      return [
        name,
        ms(p50),
        ms(percentile(all, 0.95)),
        times(p50 / own),
        count(all.length),
        ms(percentile(first, 0.5)),
      ];
    }),
  );
};

export type Raced = Readonly<{ claims: readonly Claim[]; ratios: Readonly<Record<string, number>> }>;

const judge = (results: Results, rows: number, aim: number): Raced => {
  const [own = NaN] = [...results.values()].map(({ all }) => percentile(all, 0.5));
  const ratios = [...results].flatMap(([{ name, kind }, { all }]) =>
    kind === 'ours' ? [] : [[name, kind, percentile(all, 0.5) / own] as const],
  );
  const [nearest] = ratios.filter(([, kind]) => kind === 'stateless').sort((a, b) => a[2] - b[2]);
  const [rival = 'nobody', , ratio = NaN] = nearest ?? [];
  return {
    claims: [
      {
        claim: `full refresh of ${count(rows)} rows, p50`,
        aim: `≤ ${aim} ms`,
        measured: `${ms(own)} ms`,
        reached: own <= aim,
      },
      {
        claim: `… against ${rival}, the nearest`,
        aim: `≥ ${lead}×`,
        measured: times(ratio),
        reached: ratio >= lead,
      },
    ],
    ratios: Object.fromEntries(ratios.map(([name, , times]) => [name, times])),
  };
};

/** Everybody's answers compared, everybody warm, then in turn. */
export const raceEverybody = async (
  ours: readonly Subject[],
  figures: Figures,
  sets: readonly Ranges[],
  { aim, pace }: Readonly<{ aim: number; pace: Pace }>,
): Promise<Raced> => {
  const rows = figures.ids.length;
  const contenders = await openContenders(figures);
  const subjects = [...ours, ...contenders.flatMap(({ subjects }) => subjects)];
  const moved = [withOneMoved(sets, 0)];
  const passing = await checkAnswers(subjects, figures, [...sets.slice(0, checkedSets), ...moved]);
  const answers = await race(subjects, fullRefresh(sets), pace);
  const sliders = subjects.filter(({ kind }) => kind === 'ours' || kind === 'stateful');
  const steps = await race(sliders, oneSliderMoved(sets), pace);
  for (const { close } of contenders) await close();
  say(
    `${count(rows)} rows, of which ${count(passing)} pass all eight ranges; all answers equal a plain count.`,
  );
  say();
  show('full refresh', answers);
  show('one slider moved', steps);
  return judge(answers, rows, aim);
};
