import { describe, expect, it } from '@jest/globals';
import { isDay } from './days.ts';

describe('isDay', () => {
  it.each([
    ['2024-02-29', true],
    ['2023-02-29', false],
    ['2024-13-01', false],
    ['2024-1-1', false],
    ['0002-03-04', true],
    ['', false],
  ])('is for %p %p', (text, expected) => {
    expect(isDay(text)).toBe(expected);
  });
});
