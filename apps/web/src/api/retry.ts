const firstDelayMs = 4_000;
const maxDelayMs = 60_000;
/** Clients that have failed together must not return together. */
const jitter = 0.25;
/** After the network or the server has recovered, all that wait go on within this time. */
const resumeWithinMs = 1_000;

/**
 * How long to wait after the n-th failure in a row. The first time the server's own wish counts alone, later ones never
 * shorten the back-off.
 */
export const backOffMs = (
  failures: number,
  retryAfterSeconds: number | undefined,
  random: number,
): number => {
  const wished = (retryAfterSeconds ?? 0) * 1_000;
  const backOff = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  const delay = failures === 1 && retryAfterSeconds !== undefined ? wished : Math.max(backOff, wished);
  return delay * (1 + jitter * random);
};

/** What of the browser it needs. */
export type RetryBrowser = Readonly<{
  page: Pick<Document, 'hidden' | 'addEventListener'>;
  network: Pick<Window, 'addEventListener'>;
  now: () => number;
  /** From 0 to 1. */
  random: () => number;
}>;

export type RetryOptions = Readonly<{
  /** In a row. */
  failures: number;
  /** Of the last failure. */
  retryAfterSeconds?: number | undefined;
  /** Without a failure: when to repeat what has succeeded. */
  intervalMs?: number;
  attempt: () => void;
}>;

export type Retry = Readonly<{ dueAt: number; cancel: () => void }>;

export type Outcome = Readonly<{ isAnswered: boolean; retryAfterSeconds?: number | undefined }>;

export type Retries = Readonly<{
  /** Calls `attempt` once: when it is due, while the page is visible, and not while others find the server failing. */
  schedule: (options: RetryOptions) => Retry;
  /** How a request ended, also one that was not scheduled here. */
  record: (outcome: Outcome) => void;
}>;

type Waiting = {
  dueAt: number;
  /** The server has said when: nothing but that time counts. */
  readonly isTimed: boolean;
  readonly attempt: () => void;
  timer: ReturnType<typeof setTimeout> | undefined;
};

/**
 * Everything in this page that is tried again or repeated by itself. While the server fails, one attempt at a time
 * probes it for all of them, less and less often; its first answer lets the others go on.
 */
export const createRetries = (openBrowser: () => RetryBrowser): Retries => {
  let opened: RetryBrowser | undefined;
  const waiting = new Set<Waiting>();
  /** `until`: no attempt before. `isProbed`: an attempt is on its way. */
  let outage = { failures: 0, until: 0, isProbed: false };

  const check = (one: Waiting, browser: RetryBrowser): void => {
    clearTimeout(one.timer);
    if (browser.page.hidden) return;
    const now = browser.now();
    const readyAt = Math.max(one.dueAt, outage.until);
    if (now < readyAt) {
      one.timer = setTimeout(() => check(one, browser), readyAt - now);
      return;
    }
    waiting.delete(one);
    if (outage.failures > 0) {
      const until = now + backOffMs(outage.failures + 1, undefined, browser.random());
      outage = { ...outage, until, isProbed: true };
    }
    one.attempt();
  };
  const checkAll = (browser: RetryBrowser): void => waiting.forEach((one) => check(one, browser));
  const resume = (browser: RetryBrowser): void => {
    for (const one of waiting) {
      if (!one.isTimed) one.dueAt = Math.min(one.dueAt, browser.now() + resumeWithinMs * browser.random());
    }
    checkAll(browser);
  };
  const browserOf = (): RetryBrowser => {
    if (opened) return opened;
    const browser = openBrowser();
    opened = browser;
    browser.page.addEventListener('visibilitychange', () => checkAll(browser));
    browser.network.addEventListener('online', () => {
      outage = { ...outage, until: 0 };
      resume(browser);
    });
    return browser;
  };

  return {
    schedule: ({ failures, retryAfterSeconds, intervalMs = 0, attempt }) => {
      const browser = browserOf();
      const delay = failures > 0 ? backOffMs(failures, retryAfterSeconds, browser.random()) : intervalMs;
      const isTimed = failures === 0 || retryAfterSeconds !== undefined;
      const one: Waiting = { dueAt: browser.now() + delay, isTimed, attempt, timer: undefined };
      waiting.add(one);
      check(one, browser);
      return {
        dueAt: one.dueAt,
        cancel: () => {
          clearTimeout(one.timer);
          waiting.delete(one);
        },
      };
    },
    record: ({ isAnswered, retryAfterSeconds }) => {
      if (isAnswered) {
        if (outage.failures === 0) return;
        outage = { failures: 0, until: 0, isProbed: false };
        resume(browserOf());
        return;
      }
      const { now, random } = browserOf();
      const isFurther = outage.failures > 0 && !outage.isProbed;
      const failures = isFurther ? outage.failures : outage.failures + 1;
      const until = isFurther ? outage.until : now() + backOffMs(failures, retryAfterSeconds, random());
      outage = { failures, until, isProbed: false };
    },
  };
};

/** Of this page. */
export const retries = createRetries(() => ({
  page: document,
  network: window,
  now: () => Date.now(),
  random: () => Math.random(),
}));
