import { Stripe } from 'stripe';
import { isInBackground } from '../background.ts';

// Not that of node:timers/promises, which the fake timers of the tests do not replace.
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** What background work leaves for people, of each second. */
const reservedShare = 0.5;

/** Never more than a full bucket has beside the request itself: it would wait for ever. */
const reservedOf = (perSecond: number): number => Math.min(perSecond * reservedShare, perSecond - 1);

export type Limiter = Readonly<{
  /** Resolves when a request may be sent. */
  wait: (isBackground: boolean) => Promise<void>;
}>;

/**
 * A token bucket of one second: at most `perSecond` requests in any second and those that were saved up in the one before.
 * People come first: work in the background waits while less than half of the bucket is there. With one request a second it has
 * its turn as they have.
 */
export const createLimiter = (perSecond: number, nowMs: () => number = () => performance.now()): Limiter => {
  let tokens = perSecond;
  let filledAt = nowMs();
  const take = (leave: number): number => {
    const now = nowMs();
    tokens = Math.min(perSecond, tokens + ((now - filledAt) * perSecond) / 1_000);
    filledAt = now;
    if (tokens - 1 < leave) return ((leave + 1 - tokens) * 1_000) / perSecond;
    tokens -= 1;
    return 0;
  };
  return {
    wait: async (isBackground) => {
      const leave = isBackground ? reservedOf(perSecond) : 0;
      for (let waitMs = take(leave); waitMs > 0; waitMs = take(leave)) await sleep(Math.ceil(waitMs));
    },
  };
};

/** The SDK's own HTTP client, below a number of requests in a second. */
export const limitedClient = (perSecond: number): Stripe.HttpClient => {
  const client = Stripe.createNodeHttpClient();
  const limiter = createLimiter(perSecond);
  return {
    getClientName: () => client.getClientName(),
    makeRequest: async (...request) => {
      await limiter.wait(isInBackground());
      return client.makeRequest(...request);
    },
  };
};
