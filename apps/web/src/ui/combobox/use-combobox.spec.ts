import { describe, expect, it } from '@jest/globals';
import { activeAfter } from './use-combobox.ts';

describe('the active option of a combobox', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 2, 0],
    ['ArrowUp', -1, 2],
    ['ArrowUp', 1, 0],
    ['PageDown', 0, 2],
    ['PageUp', 2, 0],
  ])('%s leads from %i to %i of three', (key, active, next) => {
    expect(activeAfter(key, active, 3)).toBe(next);
  });

  it('stays for keys that are for the field, and in an empty list', () => {
    expect(activeAfter('a', 1, 3)).toBeUndefined();
    expect(activeAfter('Home', 1, 3)).toBeUndefined();
    expect(activeAfter('ArrowDown', -1, 0)).toBeUndefined();
  });
});
