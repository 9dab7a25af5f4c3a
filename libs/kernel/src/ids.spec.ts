import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { accountId, commandId, derivedId, eventId, eventIdFor, newId, timeOrderedId } from './ids.ts';

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

describe('timeOrderedId', () => {
  it('begins with the time of a time-ordered id, also through several derivations', () => {
    const early = '01890a5d-ac96-774b-bcce-b302099a8057';
    const late = '01890a5d-ac97-774b-bcce-b302099a8057';
    const derived = (id: string): string => timeOrderedId(timeOrderedId(id, 'a'), 'b', 1);
    expect(derived(early)).toMatch(/^01890a5d-ac96-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(derived(early) < derived(late)).toBe(true);
    expect(eventId(derived(early))).toBe(derived(early));
  });

  it('is the derived id of its parts when the first one has no time', () => {
    for (const source of ['', 'a key', '6c1fbbd4-3a0d-4e0c-9d5a-2a4f52f7a9e1', derivedId('a')])
      expect(timeOrderedId(source, 'b', 1)).toBe(derivedId(source, 'b', 1));
  });

  it('differs for different parts and equal times', () => {
    const source = newId();
    const other = `${source.slice(0, -1)}${source.endsWith('0') ? '1' : '0'}`;
    const ids = [
      timeOrderedId(source),
      timeOrderedId(source, 'a'),
      timeOrderedId(source, 'a', 1),
      timeOrderedId(source, 'a', '1'),
      timeOrderedId(other, 'a'),
    ];
    expect(new Set(ids).size).toBe(ids.length);
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
