import { describe, expect, it } from '@jest/globals';
import { isLater, laterPosition, rememberTapePosition } from './tape-position.ts';

const memory = (): Pick<Storage, 'getItem' | 'setItem'> => {
  const kept = new Map<string, string>();
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => void kept.set(key, text) };
};

describe('positions', () => {
  it('compare as numbers of any length', () => {
    expect(isLater('100', '99')).toBe(true);
    expect(isLater('9007199254740993', '9007199254740992')).toBe(true);
    expect([isLater('5', '5'), isLater(null, '1'), isLater('x', null), isLater('1', null)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect([laterPosition('7', '30'), laterPosition('x', null), laterPosition(null, '2')]).toEqual([
      '30',
      null,
      '2',
    ]);
  });
});

describe('rememberTapePosition', () => {
  it('keeps the newest that any answer named', () => {
    const tape = rememberTapePosition(memory(), () => 0);
    for (const seen of ['10', null, '8', 'nonsense', '12', '11']) tape.saw(seen);
    expect(tape.newest()).toBe('12');
  });

  it('survives a reload, but not for long', () => {
    const storage = memory();
    rememberTapePosition(storage, () => 1_000).saw('12');
    expect(rememberTapePosition(storage, () => 30_000).newest()).toBe('12');
    expect(rememberTapePosition(storage, () => 90_000).newest()).toBeNull();
  });

  it('does without a storage that refuses', () => {
    const refusing = {
      getItem: (): never => {
        throw new Error('denied');
      },
      setItem: (): never => {
        throw new Error('denied');
      },
    };
    const tape = rememberTapePosition(refusing, () => 0);
    tape.saw('3');
    expect(tape.newest()).toBe('3');
  });
});
