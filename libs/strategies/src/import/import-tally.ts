import type { Duplicate, ImportCounts, Rejection } from '../domain/strategy-import.ts';

export type ImportOutcome = 'added' | 'revised' | 'unchanged';

/** What an import has come to so far. */
export type ImportTally = Readonly<{
  counts: () => ImportCounts;
  /** Everything that has been dealt with, repetitions included. */
  done: () => number;
  settle: (outcome: ImportOutcome) => void;
  reject: (rejection: Rejection) => void;
  /** The rejections since the last call. */
  takeRejections: () => readonly Rejection[];
  /** False when a record of this id was there before: the first one seen counts. */
  claim: (urlId: string, entry: string) => boolean;
  duplicates: () => readonly Duplicate[];
}>;

const mostDroppedNames = 20;

export const createTally = (): ImportTally => {
  const counts = { added: 0, revised: 0, unchanged: 0, rejected: 0 };
  const kept = new Map<string, string>();
  const dropped = new Map<string, string[]>();
  let repeated = 0;
  let rejections: Rejection[] = [];
  return {
    counts: () => ({ ...counts }),
    done: () => counts.added + counts.revised + counts.unchanged + counts.rejected + repeated,
    settle: (outcome) => {
      counts[outcome]++;
    },
    reject: (rejection) => {
      counts.rejected++;
      rejections.push(rejection);
    },
    takeRejections: () => {
      const taken = rejections;
      rejections = [];
      return taken;
    },
    claim: (urlId, entry) => {
      if (!kept.has(urlId)) {
        kept.set(urlId, entry);
        return true;
      }
      repeated++;
      const names = dropped.get(urlId) ?? [];
      if (names.length < mostDroppedNames) names.push(entry);
      dropped.set(urlId, names);
      return false;
    },
    duplicates: () =>
      [...dropped].map(([urlId, names]) => ({ urlId, kept: kept.get(urlId) ?? '', dropped: names })),
  };
};
