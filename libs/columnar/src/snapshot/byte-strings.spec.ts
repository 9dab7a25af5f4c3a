import { describe, expect, it } from '@jest/globals';
import {
  beginsWith,
  bytesOf,
  compareToBytes,
  dictionary,
  growingStrings,
  orderTexts,
  textAt,
  type ByteStrings,
} from './byte-strings.ts';

// JavaScript sorts the last two the other way round: a surrogate is below the characters after it in Unicode.
const texts = ['b', 'prefixed2', '', 'a', 'prefixed10', 'prefixed', 'ä', 'zebra', 'b', '🚀', '\uffee'];

const stored = (all: readonly string[]): ByteStrings => {
  const strings = growingStrings(1, 1);
  for (const text of all) strings.add(text);
  return strings.view();
};

const all = (strings: ByteStrings): readonly string[] =>
  Array.from({ length: strings.starts.length - 1 }, (_, at) => textAt(strings, at));

describe('byte strings', () => {
  it('return each text unchanged, however many there are', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `${texts[at % texts.length]}${at}`);
    expect(all(stored(many))).toEqual(many);
  });

  it('do not change a view when texts are added', () => {
    const strings = growingStrings(2, 4);
    for (const text of texts) strings.add(text);
    const before = strings.view();
    for (let at = 0; at < 500; at++) strings.add(`another ${at}`);
    expect(all(before)).toEqual(texts);
    expect(strings.count()).toBe(texts.length + 500);
  });

  it('are sorted in byte order, equal texts in the order of insertion', () => {
    const strings = stored(texts);
    const order = [...orderTexts(strings, texts.length)];
    const expected = [...texts.keys()].sort(
      (a, b) => Buffer.compare(bytesOf(texts[a] ?? ''), bytesOf(texts[b] ?? '')) || a - b,
    );
    expect(order).toEqual(expected);
    const sorted = stored(order.map((at) => texts[at] ?? ''));
    expect([...orderTexts(sorted, texts.length)]).toEqual([...texts.keys()]);
  });

  it('can be compared with a text and with a prefix', () => {
    const strings = stored(['prefix', 'prefixed']);
    const signs = ['pre', 'prefix', 'prefixes'].map((text) =>
      Math.sign(compareToBytes(strings, 0, bytesOf(text))),
    );
    expect(signs).toEqual([1, 0, -1]);
    expect([0, 1].map((at) => beginsWith(strings, at, bytesOf('prefixe')))).toEqual([false, true]);
    expect(beginsWith(strings, 0, bytesOf(''))).toBe(true);
  });
});

describe('the dictionary', () => {
  it('gives each text one code and null the code 0', () => {
    const codes = dictionary();
    expect(['x', null, '', 'x', 'y'].map(codes.codeOf)).toEqual([1, 0, 2, 1, 3]);
    expect(all(codes.view())).toEqual(['', 'x', '', 'y']);
  });
});
