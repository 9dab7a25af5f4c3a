/** A few pieces of work at a time; the first failure is kept until somebody asks. */
export type InFlight = Readonly<{
  /** Resolves when there is room for more. */
  add: (work: Promise<void>) => Promise<void>;
  failed: () => boolean;
  /** Resolves when nothing is under way any more. */
  settle: () => Promise<void>;
  /** @throws the first failure, when there was one */
  rethrow: () => void;
}>;

export const createInFlight = (atOnce: number): InFlight => {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  return {
    add: async (work) => {
      const watched: Promise<void> = work
        .catch((error: unknown) => {
          failures.push(error);
        })
        .finally(() => running.delete(watched));
      running.add(watched);
      if (running.size >= atOnce) await Promise.race(running);
    },
    failed: () => failures.length > 0,
    settle: async () => {
      await Promise.all(running);
    },
    rethrow: () => {
      if (failures.length > 0) throw failures[0];
    },
  };
};
