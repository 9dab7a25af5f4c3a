import { describe, expect, it } from '@jest/globals';
import { mismatchField, mismatchText, timeLeft } from './queue-words.ts';

const now = '2027-02-03T12:00:00.000Z';

describe('the time that is left', () => {
  it.each([
    ['2027-02-10T12:00:00.000Z', '7 d left', false],
    ['2027-02-06T12:00:00.000Z', '3 d left', false],
    ['2027-02-06T11:59:00.000Z', '3 d left', true],
    ['2027-02-03T12:30:00.000Z', '30 min left', true],
    [now, 'too late', true],
    ['2027-01-01T00:00:00.000Z', 'too late', true],
  ])('until %s is said as "%s", and marked in the last three days', (until, text, isUrgent) => {
    expect(timeLeft(until, now, 'too late')).toEqual({ text, isUrgent });
  });
});

describe('a field that differs', () => {
  it('has its name and its values in words', () => {
    expect(mismatchField('latestInvoiceId')).toBe('Latest invoice id');
    expect(mismatchText('2027-02-03T18:03:59.123Z')).toBe('Feb 3, 2027, 18:03');
    expect([mismatchText('active'), mismatchText(null)]).toEqual(['active', '—']);
  });
});
