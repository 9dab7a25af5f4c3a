import { describe, expect, it } from '@jest/globals';
import { isDay, tidyDays } from './days.ts';

describe('isDay', () => {
  it.each([
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2024-13-01', false],
    ['2024-1-1', false],
    ['0002-03-04', true],
    ['', false],
  ])('%p: %p', (text, is) => {
    expect(isDay(text)).toBe(is);
  });
});

describe('tidyDays', () => {
  it('opens days that contradict each other and keeps a single one', () => {
    expect(tidyDays({ from: '2024-01-02', to: '2024-01-01' })).toEqual({ from: null, to: null });
    expect(tidyDays({ from: '2024-01-01', to: '2024-01-01' })).toEqual({
      from: '2024-01-01',
      to: '2024-01-01',
    });
    expect(tidyDays({ from: null, to: '2024-01-01' })).toEqual({ from: null, to: '2024-01-01' });
  });
});
