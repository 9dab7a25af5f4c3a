import { describe, expect, it } from '@jest/globals';
import { stateAfter } from '@tapedeck/eventing/core';
import { day, pro } from '../testing/snapshots.ts';
import { ann, bob } from '../testing/subscription-history.ts';
import {
  firstDayAfter,
  priceChangeDecider,
  withdrawableUntil,
  withdrawnIn,
  type AnnouncePriceChange,
  type PriceChangeCommand,
  type PriceChangeEvent,
  type WithdrawPriceChange,
} from './price-change.ts';

const announce = (given: Partial<AnnouncePriceChange> = {}): AnnouncePriceChange => ({
  type: 'AnnouncePriceChange',
  announcementId: 'first',
  plan: pro,
  amount: 1_499,
  currency: 'usd',
  from: day('03-01'),
  noticeDays: 30,
  formerAmounts: [{ amount: 999, currency: 'usd', subscriptions: 2 }],
  by: ann,
  reason: 'Costs have risen.',
  now: day('01-10'),
  ...given,
});
const withdraw = (given: Partial<WithdrawPriceChange> = {}): WithdrawPriceChange => ({
  type: 'WithdrawPriceChange',
  announcementId: 'first',
  by: bob,
  reason: 'Not yet.',
  now: day('01-12'),
  ...given,
});

const after = (...commands: readonly PriceChangeCommand[]): readonly PriceChangeEvent[] =>
  commands.reduce<readonly PriceChangeEvent[]>(
    (events, command) => [
      ...events,
      ...priceChangeDecider.decide(command, stateAfter(priceChangeDecider, events)),
    ],
    [],
  );
const types = (...commands: readonly PriceChangeCommand[]): readonly string[] =>
  after(...commands).map(({ type }) => type);
const expectRefused = (code: string, ...commands: readonly PriceChangeCommand[]): void =>
  expect(() => after(...commands)).toThrow(expect.objectContaining({ code }));

describe('an announced price', () => {
  it('names what was shown, who has announced it and why, once', () => {
    const [event, ...others] = after(announce(), announce());
    expect([event?.data, others]).toMatchObject([
      { amount: 1_499, from: day('03-01'), by: ann, announcedAt: day('01-10'), reason: 'Costs have risen.' },
      [],
    ]);
  });

  it('is refused while another one of the plan is to come', () => {
    expectRefused('PRICE_ANNOUNCED', announce(), announce({ announcementId: 'second', from: day('05-01') }));
  });

  it('is followed by another amount once it is in effect, and not by the same one', () => {
    const later = { announcementId: 'second', from: day('06-01'), now: day('04-01') } as const;
    expect(types(announce(), announce({ ...later, amount: 1_999 }))).toHaveLength(2);
    expectRefused('PRICE_ANNOUNCED', announce(), announce(later));
  });

  it('begins on a day that is at least the days of the notice ahead', () => {
    expect(firstDayAfter('2026-01-10T00:00:00.001Z', 30)).toBe(day('02-10'));
    expect(firstDayAfter(day('01-10'), 30)).toBe(day('02-09'));
    expectRefused('NOTICE_TOO_SHORT', announce({ from: day('02-08') }));
    expect(types(announce({ from: day('02-09') }))).toEqual(['PriceChangeAnnounced']);
  });

  it('is refused when nobody pays another price', () => {
    expectRefused('NO_FORMER_PRICE', announce({ formerAmounts: [] }));
  });
});

describe('the withdrawal of an announced price', () => {
  it('is possible once, until an hour before its day', () => {
    const last = withdrawableUntil({ from: day('03-01') });
    expect(last).toBe('2026-02-28T23:00:00.000Z');
    expect(types(announce(), withdraw(), withdraw())).toEqual([
      'PriceChangeAnnounced',
      'PriceChangeWithdrawn',
    ]);
    expectRefused('PRICE_IN_EFFECT', announce(), withdraw({ now: last }));
  });

  it('makes place for another one, and stays withdrawn', () => {
    const again = [announce(), withdraw(), announce({ announcementId: 'second' })] as const;
    expect(types(...again)).toHaveLength(3);
    const withdrawn = (...commands: readonly PriceChangeCommand[]): readonly string[] =>
      withdrawnIn(stateAfter(priceChangeDecider, after(...commands)));
    expect(withdrawn()).toEqual([]);
    expect(withdrawn(...again)).toEqual(['first']);
    expect(withdrawn(...again, withdraw({ announcementId: 'second' }))).toEqual(['first', 'second']);
  });

  it('is refused for another one than the newest', () => {
    expectRefused('NO_ANNOUNCEMENT', withdraw());
    expectRefused('NO_ANNOUNCEMENT', announce(), withdraw({ announcementId: 'second' }));
  });
});
