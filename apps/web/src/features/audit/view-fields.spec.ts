import { describe, expect, it } from '@jest/globals';
import { formatTime } from '../../ui/format.ts';
import { formatValue } from './view-fields.ts';

describe('a field of the membership', () => {
  it.each([
    ['paid', 7_499, '$74.99'],
    ['refunded', 0, '$0.00'],
    ['paidUntil', '2027-03-03T10:00:30.000Z', 'Mar 3, 2027, 10:00'],
    ['scheduledPlan', 'Pro monthly from 2027-03-03T10:00:30.000Z', 'Pro monthly from Mar 3, 2027, 10:00'],
    ['hasAccess', true, 'yes'],
    ['isDisputed', false, 'no'],
    ['features', ['explore', 'export'], 'explore, export'],
    ['features', [], 'none'],
    ['tier', 'Elite', 'Elite'],
    ['endsAt', null, '—'],
  ])('%s is shown as text', (field, value, text) => {
    expect(formatValue(field, value)).toBe(text);
  });

  it('has its amount in the currency of the subscription', () => {
    expect(formatValue('nextChargeAmount', 999, 'eur')).toBe('€9.99');
  });

  it('has its time in UTC', () => {
    expect(formatTime('2027-12-31T23:59:59.999Z')).toBe('Dec 31, 2027, 23:59');
  });
});
