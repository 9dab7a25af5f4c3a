import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { checkAsyncProperty } from '@tapedeck/eventing/testing';
import type { AccountId } from '@tapedeck/kernel';
import fc from 'fast-check';
import { auditRoutes, Timeline } from './contract.ts';
import { startAuditApi, type AuditApi } from './testing/audit-api.ts';
import {
  eventsOf,
  newCast,
  randomSteps,
  registered,
  type Cast,
  type Told,
} from './testing/random-members.ts';

let api: AuditApi;
beforeAll(async () => {
  api = await startAuditApi();
});
afterAll(() => api.close());

/** All pages, the newest first. */
const timelineOf = async (account: AccountId, filter = ''): Promise<Timeline['events']> => {
  const events: Timeline['events'] = [];
  for (let before: string | null = null; ;) {
    const cursor: string = before === null ? '' : `&before=${before}`;
    const answer = await api.call('GET', `${auditRoutes.timeline(account)}?${filter}${cursor}`);
    const page: Timeline = Timeline.parse(answer.body);
    events.push(...page.events);
    before = page.before;
    if (before === null) return events;
  }
};

type Placed = Told & Readonly<{ position: string }>;

/** The accounts that a purchase came to, in order, by events of these types. */
const ownersOf = (
  placed: readonly Placed[],
  purchase: number,
  types: readonly string[],
): readonly Readonly<{ owner: unknown; since: bigint }>[] =>
  placed.flatMap(({ type, data, about, number, position }) => {
    const isOfPurchase = number === purchase && (about === 'checkout' || about === 'subscription');
    const owner = data['toAccountId'] ?? data['accountId'];
    return isOfPurchase && types.includes(type) && owner ? [{ owner, since: BigInt(position) }] : [];
  });

const handing: readonly string[] = ['PaymentClaimed', 'PaymentTransferred'];

/**
 * The history of one account: its own events; of each purchase that it ever had all of them, up to the transfer if it has
 * it no more. What names only a customer or a payment is known to belong to the purchase once that is paid.
 */
const expectedPositions = (
  placed: readonly Placed[],
  account: AccountId,
  { accounts }: Cast,
): readonly string[] =>
  placed
    .filter(({ about, number, position }) => {
      if (about === 'account') return accounts[number] === account;
      const isPaid = placed.some(({ type, number: of }) => of === number && type === 'CheckoutPaid');
      if (about === 'nobody' || (!isPaid && (about === 'customer' || about === 'money'))) return false;
      const isLinked = isPaid || about === 'checkout';
      const owners = ownersOf(placed, number, isLinked ? ['CheckoutStarted', ...handing] : handing);
      const last = owners.findLastIndex(({ owner }) => owner === account);
      const next = owners[last + 1];
      return last >= 0 && (!next || BigInt(position) <= next.since);
    })
    .map(({ position }) => position);

describe('the timeline', () => {
  it('has exactly the events of the member in their order, whatever happens to purchases', async () => {
    await checkAsyncProperty(
      fc.asyncProperty(randomSteps, async (steps) => {
        const cast = newCast();
        const placed: Placed[] = [];
        for (const [index, account] of cast.accounts.entries()) {
          const { stream, type, data } = registered(account);
          placed.push({
            stream,
            type,
            data,
            about: 'account',
            number: index,
            position: await api.add(stream, type, data),
          });
        }
        for (const event of steps.flatMap((step) => eventsOf(step, cast))) {
          placed.push({ ...event, position: await api.add(event.stream, event.type, event.data) });
        }
        await api.project();
        for (const account of cast.accounts) {
          const events = await timelineOf(account);
          expect(events.map(({ position }) => position).toReversed()).toEqual(
            expectedPositions(placed, account, cast),
          );
        }
      }),
      { numRuns: 25 },
    );
  });
});
