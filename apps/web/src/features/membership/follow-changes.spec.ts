import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { configureStore } from '@reduxjs/toolkit';
import { membershipTopic, type MemberTier } from '@tapedeck/membership/contract';
import { changesReady } from '@tapedeck/platform/contract';
import { memberTier } from './membership.api.ts';
import { baseApi } from '../../api/base-api.ts';
import { changes } from '../../api/changes.api.ts';
import { repeatWhenStale } from '../../api/repeat-when-stale.ts';

const answer = (tier: MemberTier['tier'], isStale = false): Response =>
  Response.json(
    {
      tier,
      active: true,
      renewalDate: null,
      stripeCustomerEmail: null,
      status: tier === 'Free' ? 'none' : 'active',
      period: null,
      endsAt: null,
      graceUntil: null,
      graceDaysLeft: null,
      hasFailedPayment: false,
      failureReason: null,
      nextAttemptAt: null,
      complimentary: null,
      features: [],
    } satisfies MemberTier,
    { headers: isStale ? { 'tape-stale': 'true' } : {} },
  );

/** A page of a signed-in member that shows the tier and follows its changes. */
const openPage = async (answers: readonly Response[]) => {
  const left = [...answers];
  const asked: (string | null)[] = [];
  const source = Object.assign(new EventTarget(), { readyState: 0, close: () => undefined });
  Object.assign(globalThis, {
    document: Object.assign(new EventTarget(), { hidden: false }),
    window: new EventTarget(),
    EventSource: function EventSource() {
      return source;
    },
  });
  jest.spyOn(globalThis, 'fetch').mockImplementation(async (_url, { headers } = {}) => {
    asked.push(new Headers(headers).get('tape-position'));
    const next = left.shift();
    if (!next) throw new Error('The tier was asked for once too often.');
    return next;
  });
  const store = configureStore({
    reducer: { [baseApi.reducerPath]: baseApi.reducer },
    middleware: (getDefault) => getDefault().prepend(repeatWhenStale()).concat(baseApi.middleware),
  });
  void store.dispatch(changes.initiate());
  void store.dispatch(memberTier.initiate());
  const after = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);
  await after(100);
  return {
    asked,
    after,
    /** From the cache. */
    tier: async () => (await store.dispatch(memberTier.initiate(undefined, { subscribe: false }))).data?.tier,
    receive: async (event: Event): Promise<void> => {
      source.dispatchEvent(event);
      await after(100);
    },
    close: () => store.dispatch(baseApi.util.resetApiState()),
  };
};

const ready = (): Event => new Event(changesReady);
const changed = (position: string): Event =>
  new MessageEvent('message', { data: JSON.stringify({ topic: membershipTopic, position }) });

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
  for (const name of ['document', 'window', 'EventSource']) Reflect.deleteProperty(globalThis, name);
});

describe('a page that follows the changes of an account', () => {
  it('shows what has changed between its first answer and the beginning of the reports', async () => {
    const page = await openPage([answer('Free'), answer('Pro')]);
    expect(await page.tier()).toBe('Free');
    await page.receive(ready());
    expect(await page.tier()).toBe('Pro');
    page.close();
  });

  it('asks again for what a read model did not contain yet when the change was reported', async () => {
    const page = await openPage([
      answer('Free'),
      answer('Free'),
      answer('Free', true),
      answer('Free', true),
      answer('Pro'),
    ]);
    await page.receive(ready());
    await page.receive(changed('70'));
    expect(await page.tier()).toBe('Free');
    await page.after(5_000);
    expect([await page.tier(), page.asked.slice(2)]).toEqual(['Pro', ['70', '70', '70']]);
    await page.after(600_000);
    expect(page.asked).toHaveLength(5);
    page.close();
  });

  it('asks less and less often while the read model stays behind, and about a minute at most', async () => {
    const page = await openPage(Array.from({ length: 20 }, () => answer('Free', true)));
    const counts: number[] = [];
    for (let second = 1; second <= 8; second++) {
      await page.after(1_000);
      counts.push(page.asked.length);
    }
    expect(counts).toEqual([2, 2, 3, 3, 3, 3, 4, 4]);
    await page.after(600_000);
    expect(page.asked).toHaveLength(7);
    page.close();
  });
});
