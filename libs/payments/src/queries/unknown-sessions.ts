import type { Clock } from '@tapedeck/kernel';

/** For Nest: the `UnknownSessions`. */
export const UNKNOWN_SESSIONS = Symbol('UnknownSessions');

/**
 * Which sessions Stripe is asked for that the product does not know, or whose payment it does not know yet. Anybody can send
 * ids of sessions, so it is asked for each of them once in a while, and for all of them together so many times in a minute.
 */
export type UnknownSessions = Readonly<{ mayAsk: (sessionId: string) => boolean }>;

const againAfterMs = 2_000;
const minuteMs = 60_000;
const maxPerMinute = 600;
const maxRemembered = 10_000;

export const unknownSessions = (clock: Pick<Clock, 'now'>): UnknownSessions => {
  const askedAt = new Map<string, number>();
  let minute = 0;
  let asked = 0;
  return {
    mayAsk: (sessionId) => {
      const now = clock.now();
      if (now - (askedAt.get(sessionId) ?? -Infinity) < againAfterMs) return false;
      if (Math.floor(now / minuteMs) !== minute) [minute, asked] = [Math.floor(now / minuteMs), 0];
      if (asked >= maxPerMinute) return false;
      asked += 1;
      const [oldest] = askedAt.keys();
      if (askedAt.size >= maxRemembered && oldest !== undefined) askedAt.delete(oldest);
      askedAt.delete(sessionId);
      askedAt.set(sessionId, now);
      return true;
    },
  };
};
