import { describe, expect, it } from '@jest/globals';
import { errorPlace } from './error-place.ts';

describe('the place of an error', () => {
  it('is a line and a column of the text in the editor, whatever was trimmed before it was sent', () => {
    expect(errorPlace('select x', 8)).toEqual({ line: 1, column: 8 });
    expect(errorPlace('\n\n  select x', 8)).toEqual({ line: 3, column: 10 });
    expect(errorPlace(`select '📼',\n  x`, 15)).toEqual({ line: 2, column: 3 });
  });
});
