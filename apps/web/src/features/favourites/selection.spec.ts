import { describe, expect, it } from '@jest/globals';
import { allSelected, extended, nothingSelected, selectedOf, toggled, type Selection } from './selection.ts';

const shown = [...'abcdef'];
const text = (selection: Selection): string => selectedOf(selection, shown).join('');
const click = (selection: Selection, id: string): Selection => toggled(selection, id, shown, false);
const shiftClick = (selection: Selection, id: string): Selection => toggled(selection, id, shown, true);

describe('a selection', () => {
  it('adds and removes one row by a click', () => {
    const two = click(click(nothingSelected, 'e'), 'b');
    expect(text(two)).toBe('be');
    expect(text(click(two, 'e'))).toBe('b');
  });

  it('gives a range the state of the row that ends it, in both directions', () => {
    const range = shiftClick(click(nothingSelected, 'b'), 'e');
    expect(text(range)).toBe('bcde');
    expect(text(shiftClick(click(nothingSelected, 'e'), 'b'))).toBe('bcde');
    const gap = click(range, 'c');
    expect(text(shiftClick(gap, 'e'))).toBe('b');
  });

  it('takes the row alone when the last one is not shown any more', () => {
    const elsewhere = toggled(nothingSelected, 'z', ['z'], false);
    expect(text(shiftClick(elsewhere, 'c'))).toBe('c');
    expect(text(shiftClick(nothingSelected, 'c'))).toBe('c');
  });

  it('grows by Shift with an arrow key', () => {
    expect(text(extended(extended(nothingSelected, 'b', 'c'), 'c', 'd'))).toBe('bcd');
  });

  it('contains what is shown only', () => {
    expect(text(allSelected(shown))).toBe('abcdef');
    expect(selectedOf(allSelected(shown), ['b', 'x'])).toEqual(['b']);
  });
});
