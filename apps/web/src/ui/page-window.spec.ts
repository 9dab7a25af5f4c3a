import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pageWindow } from './page-window.ts';

describe('pageWindow', () => {
  it('centres on the current page and stops at both ends', () => {
    expect(pageWindow(1, 20)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(pageWindow(10, 20)).toEqual([7, 8, 9, 10, 11, 12, 13]);
    expect(pageWindow(20, 20)).toEqual([14, 15, 16, 17, 18, 19, 20]);
    expect(pageWindow(2, 3)).toEqual([1, 2, 3]);
    expect(pageWindow(1, 0)).toEqual([]);
  });

  it('always contains the current page, fills the window and names only existing pages', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 900 }), fc.integer({ min: 1, max: 900 }), (one, other) => {
        const [page, pages] = [Math.min(one, other), Math.max(one, other)];
        const buttons = pageWindow(page, pages);
        expect(buttons).toContain(page);
        expect(buttons).toHaveLength(Math.min(7, pages));
        expect(buttons[0]).toBeGreaterThanOrEqual(1);
        expect(buttons.at(-1)).toBeLessThanOrEqual(pages);
      }),
    );
  });
});
