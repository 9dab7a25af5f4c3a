import { describe, expect, it } from '@jest/globals';
import { isLater, laterPosition, createTapePosition } from './tape-position.ts';

const memoryStorage = (): Pick<Storage, 'getItem' | 'setItem'> => {
  const stored = new Map<string, string>();
  return { getItem: (key) => stored.get(key) ?? null, setItem: (key, text) => void stored.set(key, text) };
};

describe('isLater and laterPosition', () => {
  it('compare positions as numbers of any length', () => {
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

describe('createTapePosition', () => {
  it('keeps the newest recorded position', () => {
    const tape = createTapePosition(memoryStorage(), () => 0);
    for (const position of ['10', null, '8', 'malformed', '12', '11']) tape.record(position);
    expect(tape.newest()).toBe('12');
  });

  it('restores the position after a reload, for one minute', () => {
    const storage = memoryStorage();
    createTapePosition(storage, () => 1_000).record('12');
    expect(createTapePosition(storage, () => 30_000).newest()).toBe('12');
    expect(createTapePosition(storage, () => 90_000).newest()).toBeNull();
  });

  it('works without storage', () => {
    const forbiddenStorage = {
      getItem: (): never => {
        throw new Error('denied');
      },
      setItem: (): never => {
        throw new Error('denied');
      },
    };
    const tape = createTapePosition(forbiddenStorage, () => 0);
    tape.record('3');
    expect(tape.newest()).toBe('3');
  });
});
