import type { SandboxClock, TimedWork } from '../../clock-port.ts';

/** A clock that stands still until a test moves it, and stops at each time at which work is due. */
export const createTestClock = (startMs: number): SandboxClock => {
  const works: TimedWork[] = [];
  let nowMs = startMs;
  const nextDue = (upToMs: number): number | undefined => {
    const times = works.map((work) => work.nextDue(upToMs)).filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  };
  return {
    now: () => nowMs,
    advanceTo: async (toMs) => {
      for (let due = nextDue(toMs); due !== undefined; due = nextDue(toMs)) {
        nowMs = Math.max(nowMs, due);
        for (const work of works) await work.runDue();
      }
      nowMs = toMs;
    },
    addWork: (work) => works.push(work),
  };
};
