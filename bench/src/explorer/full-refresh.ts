import { count, ms, say, table, times, type Claim } from '../print.ts';
import { percentile } from '../statistics.ts';
import { openContenders } from './contenders.ts';
import type { Figures, Ranges } from './figures.ts';
import {
  checkAnswers,
  fullRefresh,
  oneSliderMoved,
  measure,
  withOneMoved,
  type Durations,
  type Effort,
} from './measure.ts';
import type { Subject } from './subject.ts';

const checkedSets = 3;
/** The aim: this many times faster than every other stateless engine. */
const minLead = 30;

type Results = ReadonlyMap<Subject, Durations>;

const show = (title: string, results: Results): void => {
  const [own = NaN] = [...results.values()].map(({ all }) => percentile(all, 0.5));
  table(
    [title, 'p50 ms', 'p95 ms', 'times ours', 'answers', 'p50 of the first of a turn'],
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

export type SizeResult = Readonly<{ claims: readonly Claim[]; ratios: Readonly<Record<string, number>> }>;

const judge = (results: Results, rows: number, aim: number): SizeResult => {
  const [own = NaN] = [...results.values()].map(({ all }) => percentile(all, 0.5));
  const ratios = [...results].flatMap(([{ name, kind }, { all }]) =>
    kind === 'ours' ? [] : [[name, kind, percentile(all, 0.5) / own] as const],
  );
  const [nearest] = ratios.filter(([, kind]) => kind === 'stateless').sort((a, b) => a[2] - b[2]);
  const [rival = 'no other engine', , ratio = NaN] = nearest ?? [];
  return {
    claims: [
      {
        claim: `full refresh of ${count(rows)} rows, p50`,
        aim: `≤ ${aim} ms`,
        measured: `${ms(own)} ms`,
        reached: own <= aim,
      },
      {
        claim: `… against ${rival}, the fastest other`,
        aim: `≥ ${minLead}×`,
        measured: times(ratio),
        reached: ratio >= minLead,
      },
    ],
    ratios: Object.fromEntries(ratios.map(([name, , times]) => [name, times])),
  };
};

/** Checks the answers of all subjects, warms them up, and measures them in turn. */
export const measureFullRefresh = async (
  ours: readonly Subject[],
  figures: Figures,
  sets: readonly Ranges[],
  { aim, effort }: Readonly<{ aim: number; effort: Effort }>,
): Promise<SizeResult> => {
  const rows = figures.ids.length;
  const contenders = await openContenders(figures);
  const subjects = [...ours, ...contenders.flatMap(({ subjects }) => subjects)];
  const moved = [withOneMoved(sets, 0)];
  const passing = await checkAnswers(subjects, figures, [...sets.slice(0, checkedSets), ...moved]);
  const refreshes = await measure(subjects, fullRefresh(sets), effort);
  const sliders = subjects.filter(({ kind }) => kind === 'ours' || kind === 'stateful');
  const sliderSteps = await measure(sliders, oneSliderMoved(sets), effort);
  for (const { close } of contenders) await close();
  say(`${count(rows)} rows, of which ${count(passing)} pass all ranges; all answers equal a plain count.`);
  say();
  show('full refresh', refreshes);
  show('one slider moved', sliderSteps);
  return judge(refreshes, rows, aim);
};
