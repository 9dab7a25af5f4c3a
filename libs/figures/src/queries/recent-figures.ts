import type { Figures } from '../contract.ts';

export type RecentFigures = Readonly<{ read: () => Promise<Figures> }>;

const minAgeMs = 1_000;
/** Counting takes at most this share of the time, however many pages and scrapes ask. */
const maxShare = 0.1;

/**
 * Figures that are at most a second old, or ten times as old as it takes to count them. Callers at the same time share one
 * count; one that fails is not kept.
 */
export const recentFigures = (
  count: () => Promise<Figures>,
  nowMs: () => number = () => performance.now(),
): RecentFigures => {
  let counting: Promise<Figures> | undefined;
  let freshUntil = 0;
  const countNow = async (): Promise<Figures> => {
    const begun = nowMs();
    const figures = await count();
    const ended = nowMs();
    freshUntil = ended + Math.max(minAgeMs, (ended - begun) / maxShare);
    return figures;
  };
  return {
    read: () => {
      if (counting && nowMs() < freshUntil) return counting;
      // Fresh while it is under way.
      freshUntil = Infinity;
      counting = countNow().catch((error: unknown) => {
        counting = undefined;
        throw error;
      });
      return counting;
    },
  };
};
