import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { backOffMs, createRetries, type Retries, type RetryOptions } from './retry.ts';

describe('backOffMs', () => {
  it('doubles from failure to failure, up to a minute', () => {
    expect([1, 2, 3, 4, 5, 9].map((failures) => backOffMs(failures, undefined, 0))).toEqual([
      4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
    ]);
  });

  it('adds up to a quarter by chance, and never goes below Retry-After', () => {
    expect(backOffMs(1, undefined, 1)).toBe(5_000);
    expect(backOffMs(1, 120, 0)).toBe(120_000);
    expect(backOffMs(3, 120, 0.5)).toBe(135_000);
  });

  it('obeys a short Retry-After once, and then backs off all the same', () => {
    expect([1, 2, 3].map((failures) => backOffMs(failures, 1, 0))).toEqual([1_000, 8_000, 16_000]);
  });
});

/** A page with a random value that is always 0: what is due is exact. */
const openPage = () => {
  const page = Object.assign(new EventTarget(), { hidden: false });
  const network = new EventTarget();
  const retries: Retries = createRetries(() => ({ page, network, now: () => Date.now(), random: () => 0 }));
  const start = Date.now();
  const attempts: string[] = [];
  const schedule = (name: string, options: Partial<RetryOptions> = {}): ReturnType<Retries['schedule']> =>
    retries.schedule({
      failures: 1,
      attempt: () => attempts.push(`${name} ${(Date.now() - start) / 1_000}`),
      ...options,
    });
  return {
    retries,
    attempts,
    schedule,
    pass: (seconds: number) => jest.advanceTimersByTime(seconds * 1_000),
    show: (isVisible: boolean) => {
      page.hidden = !isVisible;
      page.dispatchEvent(new Event('visibilitychange'));
    },
    goOnline: () => network.dispatchEvent(new Event('online')),
    fail: (retryAfterSeconds?: number) => retries.record({ isAnswered: false, retryAfterSeconds }),
    answer: () => retries.record({ isAnswered: true }),
  };
};

describe('retries', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  it('attempt once, when it is due', () => {
    const { attempts, schedule, pass } = openPage();
    schedule('a', { failures: 2 });
    schedule('poll', { failures: 0, intervalMs: 1_500 });
    pass(600);
    expect(attempts).toEqual(['poll 1.5', 'a 8']);
  });

  it('do not attempt what was cancelled', () => {
    const { attempts, schedule, pass } = openPage();
    schedule('a').cancel();
    pass(600);
    expect(attempts).toEqual([]);
  });

  it('wait while the page is hidden, and go on when it is shown', () => {
    const { attempts, schedule, pass, show } = openPage();
    schedule('due', { failures: 1 });
    schedule('later', { failures: 4 });
    show(false);
    pass(10);
    expect(attempts).toEqual([]);
    show(true);
    expect(attempts).toEqual(['due 10']);
    pass(22);
    expect(attempts).toEqual(['due 10', 'later 32']);
  });

  it('go on when the network returns, but not before the time that the server has named', () => {
    const { attempts, schedule, pass, goOnline } = openPage();
    schedule('a', { failures: 5 });
    schedule('timed', { failures: 1, retryAfterSeconds: 30 });
    pass(3);
    goOnline();
    expect(attempts).toEqual(['a 3']);
    pass(60);
    expect(attempts).toEqual(['a 3', 'timed 30']);
  });

  it('probe a failing server one at a time, less and less often', () => {
    const { attempts, schedule, pass, fail } = openPage();
    fail();
    fail();
    fail();
    for (const name of ['a', 'b', 'c']) schedule(name);
    pass(4);
    expect(attempts).toEqual(['a 4']);
    fail();
    schedule('a', { failures: 2 });
    pass(8);
    fail();
    pass(15);
    expect(attempts).toEqual(['a 4', 'b 12']);
    pass(1);
    expect(attempts).toEqual(['a 4', 'b 12', 'c 28']);
  });

  it('probe again when a probe is not answered', () => {
    const { attempts, schedule, pass, fail } = openPage();
    fail();
    schedule('a');
    schedule('b');
    pass(12);
    expect(attempts).toEqual(['a 4', 'b 12']);
  });

  it('all go on once the server answers', () => {
    const { attempts, schedule, pass, fail, answer } = openPage();
    fail();
    for (const name of ['a', 'b', 'c']) schedule(name, { failures: 3 });
    pass(2);
    answer();
    expect(attempts).toEqual(['a 2', 'b 2', 'c 2']);
    pass(60);
    expect(attempts).toHaveLength(3);
  });

  it('do not shorten the wait of one call when others are answered all the time', () => {
    const { attempts, schedule, pass, answer } = openPage();
    schedule('a', { failures: 3 });
    answer();
    pass(15);
    expect(attempts).toEqual([]);
    pass(1);
    expect(attempts).toEqual(['a 16']);
  });

  it('hold back repetitions, too, while the server fails', () => {
    const { attempts, schedule, pass, fail, answer } = openPage();
    fail(20);
    schedule('poll', { failures: 0, intervalMs: 500 });
    pass(19);
    expect(attempts).toEqual([]);
    answer();
    expect(attempts).toEqual(['poll 19']);
  });
});
