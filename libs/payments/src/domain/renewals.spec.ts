import { expect, it } from '@jest/globals';
import { firstRenewalFrom } from './renewals.ts';

const period = (start: string, end: string): Readonly<{ periodStart: string; periodEnd: string }> => ({
  periodStart: `${start}T09:30:00.000Z`,
  periodEnd: `${end}T09:30:00.000Z`,
});

it.each([
  ['the next one', period('2026-01-15', '2026-02-15'), 'monthly', '2026-02-15T09:30:00.000Z', '2026-02-15'],
  ['a later month', period('2026-01-15', '2026-02-15'), 'monthly', '2026-02-15T09:30:00.001Z', '2026-03-15'],
  ['the day of a longer month', period('2026-01-31', '2026-02-28'), 'monthly', '2026-03-01', '2026-03-31'],
  [
    'the last day of a short month',
    period('2026-01-31', '2026-02-28'),
    'monthly',
    '2026-04-01',
    '2026-04-30',
  ],
  ['the day 30 of February', period('2028-01-30', '2028-02-29'), 'monthly', '2028-03-01', '2028-03-30'],
  ['a later year', period('2026-05-10', '2027-05-10'), 'annual', '2027-06-01', '2028-05-10'],
  ['a leap day', period('2028-02-29', '2029-02-28'), 'annual', '2029-03-01', '2030-02-28'],
] as const)('the first renewal from an instant on is %s', (_, given, of, notBefore, expected) => {
  expect(firstRenewalFrom(given, of, notBefore)).toBe(`${expected}T09:30:00.000Z`);
});
