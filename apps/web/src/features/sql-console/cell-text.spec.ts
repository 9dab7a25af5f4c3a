import { describe, expect, it } from '@jest/globals';
import { cellText, isClamped } from './cell-text.ts';

describe('a cell', () => {
  it('is clamped when it is long, has lines, or is JSON', () => {
    const values = ['short', null, 'x'.repeat(91), 'two\nlines', '{"a":1}', '[1,2]', '{}'];
    expect(values.map(isClamped)).toEqual([false, false, true, true, true, true, false]);
  });

  it('shows JSON with a line for each part', () => {
    expect(cellText('{"a":[1,"b"]}')).toEqual({ text: '{\n  "a": [\n    1,\n    "b"\n  ]\n}', isJson: true });
  });

  it.each(['{not json}', '{"big":123456789012345678901}', 'text', '{curly,array}'])(
    'shows %s as it is',
    (value) => {
      expect(cellText(value)).toEqual({ text: value, isJson: false });
    },
  );
});
