/** For Nest: the `SharedReads` of checkout sessions. */
export const SHARED_READS = Symbol('SharedReads');

/**
 * What visitors make the product ask of Stripe. Anybody can send ids of sessions, and pages ask again and again: one answer
 * serves all questions for the same within two seconds, and all of them together cause so many requests in a minute.
 */
export type SharedReads = Readonly<{
  /** Undefined when too much was asked in this minute. A failure is not kept. */
  read: <T>(key: string, ask: () => Promise<T>) => Promise<T | undefined>;
}>;

const sharedForMs = 2_000;
const minuteMs = 60_000;
const maxPerMinute = 600;
const maxRemembered = 10_000;

type Shared = Readonly<{ askedAt: number; answer: Promise<unknown> }>;

export const createSharedReads = (nowMs: () => number = () => performance.now()): SharedReads => {
  const shared = new Map<string, Shared>();
  let minute = 0;
  let asked = 0;
  const mayAsk = (now: number): boolean => {
    if (Math.floor(now / minuteMs) !== minute) [minute, asked] = [Math.floor(now / minuteMs), 0];
    asked += 1;
    return asked <= maxPerMinute;
  };
  const remember = (key: string, one: Shared): void => {
    const [oldest] = shared.keys();
    if (shared.size >= maxRemembered && oldest !== undefined) shared.delete(oldest);
    shared.delete(key);
    shared.set(key, one);
    one.answer.catch(() => shared.get(key) === one && shared.delete(key));
  };
  return {
    read: async <T>(key: string, ask: () => Promise<T>) => {
      const now = nowMs();
      const known = shared.get(key);
      // A key always stands for the same kind of answer.
      if (known && now - known.askedAt < sharedForMs) return known.answer as Promise<T>;
      if (!mayAsk(now)) return undefined;
      const answer = ask();
      remember(key, { askedAt: now, answer });
      return answer;
    },
  };
};
