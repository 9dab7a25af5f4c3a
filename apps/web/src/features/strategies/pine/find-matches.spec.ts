import { describe, expect, it } from '@jest/globals';
import { findMatches, maxMatches } from './find-matches.ts';

const found = (text: string, wanted: string): readonly string[] =>
  findMatches(text, wanted).matches.map(({ from, to }) => `${from}:${text.slice(from, to)}`);

describe('finding a text in a script', () => {
  it('finds it in whatever case, without overlaps', () => {
    expect(found('EMA = ta.ema(x)\nema', 'ema')).toEqual(['0:EMA', '9:ema', '16:ema']);
    expect(found('aaaa', 'aa')).toEqual(['0:aa', '2:aa']);
  });

  it('takes every character as itself', () => {
    const text = String.raw`a[1] + (b*2) ^ $x \ {y} | z? . /-`;
    for (const wanted of ['[1]', '(b*2)', '^', '$x', '\\', '{y}', '|', 'z?', '.', '/', '-', ' + ']) {
      expect(found(text, wanted)).toEqual([`${text.indexOf(wanted)}:${wanted}`]);
    }
  });

  it('keeps its offsets after characters that are longer in lower case', () => {
    expect(found('İİ rsi 𝒳 RSI', 'rsi')).toEqual(['3:rsi', '10:RSI']);
  });

  it('finds nothing for no text', () => {
    expect(findMatches('abc', '')).toEqual({ matches: [], isComplete: true });
    expect(findMatches('abc', 'x')).toEqual({ matches: [], isComplete: true });
  });

  it('stops at the maximum and says so', () => {
    const text = 'a'.repeat(maxMatches + 1);
    expect(findMatches(text, 'a').matches).toHaveLength(maxMatches);
    expect(findMatches(text, 'a').isComplete).toBe(false);
    expect(findMatches(text.slice(1), 'a').isComplete).toBe(true);
  });
});
