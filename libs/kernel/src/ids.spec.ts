import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountId, commandId, derivedId, eventIdFor, newId } from './ids.ts';

describe('accountId', () => {
  it('accepts a UUID in any case and refuses other text', () => {
    const id = newId();
    expect(accountId(id.toUpperCase())).toBe(id);
    for (const wrong of ['', 'x', `${id} `, `${id}0`, '../etc/passwd']) {
      expect(() => accountId(wrong)).toThrow(/is not a valid account id: send a UUID/);
    }
  });
});

describe('derivedId', () => {
  it('returns the same id for equal parts and different ids for different parts', () => {
    expect(derivedId('a', 1)).toBe(derivedId('a', 1));
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (a, b) => {
        expect(derivedId(...a) === derivedId(...b)).toBe(JSON.stringify(a) === JSON.stringify(b));
      }),
    );
    expect(derivedId('a', 'b')).not.toBe(derivedId('ab'));
    expect(derivedId('1')).not.toBe(derivedId(1));
  });
});

describe('eventIdFor', () => {
  it('depends on the command, on the stream and on the index of the event', () => {
    const command = commandId(newId());
    expect(eventIdFor(command, 'a-1', 0)).toBe(eventIdFor(command, 'a-1', 0));
    const others = [
      eventIdFor(command, 'a-1', 1),
      eventIdFor(command, 'a-2', 0),
      eventIdFor(commandId(newId()), 'a-1', 0),
    ];
    expect(others).not.toContain(eventIdFor(command, 'a-1', 0));
    expect(new Set(others).size).toBe(3);
  });
});
