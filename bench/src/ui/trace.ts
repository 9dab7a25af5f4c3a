import type { Browser, Page } from 'playwright-core';
import { percentile } from '../statistics.ts';

type TraceEvent = Readonly<{
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  dur?: number;
  args?: Readonly<{ name?: string }>;
}>;

export type Traced = Readonly<{
  tasks: number;
  /** Milliseconds of the main thread's tasks. */
  p99: number;
  longest: number;
  drawn: number;
  dropped: number;
}>;

const categories = [
  'toplevel',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline.frame',
  '__metadata',
];

/** Main threads by process and thread; the page's is the busiest of them. */
const mainTasks = (events: readonly TraceEvent[]): readonly number[] => {
  const tasks = new Map<string, number[]>();
  for (const { name, args, pid, tid } of events) {
    if (name === 'thread_name' && args?.name === 'CrRendererMain') tasks.set(`${pid} ${tid}`, []);
  }
  for (const { name, ph, pid, tid, dur = 0 } of events) {
    if (ph === 'X' && name.endsWith('RunTask')) tasks.get(`${pid} ${tid}`)?.push(dur / 1_000);
  }
  const sum = (all: readonly number[]): number => all.reduce((total, millis) => total + millis, 0);
  return [...tasks.values()].sort((a, b) => sum(b) - sum(a))[0] ?? [];
};

/** What the browser itself says about a piece of work; recording it costs the page a little. */
export const traceWork = async (
  browser: Browser,
  page: Page,
  work: () => Promise<unknown>,
): Promise<Traced> => {
  await browser.startTracing(page, { categories });
  await work();
  const trace = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: readonly TraceEvent[];
  };
  const tasks = mainTasks(trace.traceEvents);
  const named = (wanted: string): number => trace.traceEvents.filter(({ name }) => name === wanted).length;
  return {
    tasks: tasks.length,
    p99: percentile(tasks, 0.99),
    longest: percentile(tasks, 1),
    drawn: named('DrawFrame'),
    dropped: named('DroppedFrame'),
  };
};
