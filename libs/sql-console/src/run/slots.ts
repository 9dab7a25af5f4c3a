import { DomainError } from '@tapedeck/kernel';

const maxRunning = 2;

const busy = (message: string): DomainError =>
  new DomainError('too-many', 'SQL_CONSOLE_BUSY', message, { retryAfterSeconds: 1 });

export type Slots = Readonly<{ enter: (accountId: string) => () => void }>;

/** One running query for each admin, and two in all. `enter` returns how to leave. */
export const createSlots = (): Slots => {
  const running = new Set<string>();
  return {
    enter: (accountId) => {
      if (running.has(accountId)) throw busy('Another query of yours is running: wait for it, or cancel it.');
      if (running.size >= maxRunning)
        throw busy('Two queries of other admins are running: try again in a moment.');
      running.add(accountId);
      return () => void running.delete(accountId);
    },
  };
};
