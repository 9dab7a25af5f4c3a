import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Figures } from '../contract.ts';
import { readFigures } from './read-figures.ts';

export type RecentFigures = Readonly<{ read: () => Promise<Figures> }>;

type Parts = Readonly<{ databases: Databases; clock: Clock; graceDays: number }>;

const minAgeMs = 1_000;
/** Counting takes at most this share of the time, however many pages and scrapes ask. */
const maxShare = 0.1;

/**
 * Figures that are at most a second old, or ten times as old as it takes to count them. Callers at the same time share one
 * count; one that fails is not kept.
 */
export const recentFigures = ({ databases, clock, graceDays }: Parts): RecentFigures => {
  let counting: Promise<Figures> | undefined;
  let freshUntil = 0;
  const count = async (): Promise<Figures> => {
    const begun = performance.now();
    const figures = await readFigures(databases.tapedeck, clock.now(), graceDays);
    const ended = performance.now();
    freshUntil = ended + Math.max(minAgeMs, (ended - begun) / maxShare);
    return figures;
  };
  return {
    read: () => {
      if (counting && performance.now() < freshUntil) return counting;
      // Fresh while it is under way.
      freshUntil = Infinity;
      counting = count().catch((error: unknown) => {
        counting = undefined;
        throw error;
      });
      return counting;
    },
  };
};
