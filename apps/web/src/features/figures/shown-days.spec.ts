import { describe, expect, it } from '@jest/globals';
import { rangeNamed, shownIn, totalsOf } from './shown-days.ts';

const days = Array.from({ length: 100 }, (_, day) => `day ${day}`);
const values = days.map((_, day) => day);

describe('the shown days', () => {
  it('are the newest ones of a range', () => {
    const { days: shown, series } = shownIn(rangeNamed('30'), days, [{ name: 'a', values }]);
    expect([shown.length, shown[0], shown.at(-1)]).toEqual([30, 'day 70', 'day 99']);
    expect([series[0]?.values[0], series[0]?.values.at(-1)]).toEqual([70, 99]);
  });

  it('are all that are known where there are fewer', () => {
    expect(shownIn(rangeNamed('all'), days, []).days).toEqual(days);
    expect(shownIn(rangeNamed('90'), days.slice(0, 5), []).days).toHaveLength(5);
  });

  it('are 90 for a range that does not exist', () => {
    expect([null, '', '31', 'toString'].map((name) => rangeNamed(name).days)).toEqual([90, 90, 90, 90]);
  });

  it('have a total of several series', () => {
    expect(totalsOf([{ values: [1, 2] }, { values: [3, 4] }])).toEqual([4, 6]);
    expect(totalsOf([])).toEqual([]);
  });
});
