import { describe, expect, it } from '@jest/globals';
import { addressParams, fieldTime, readAddress, timelineFilter, typedTime } from './audit-address.ts';

const read = (text: string) => readAddress(new URLSearchParams(text));

describe('the address of a member’s audit', () => {
  it('says nothing by default', () => {
    expect(read('')).toEqual({
      at: null,
      knowledge: 'then',
      since: null,
      lanes: [],
      actorKind: null,
      from: null,
      to: null,
      event: null,
    });
    expect(addressParams(read('')).toString()).toBe('');
  });

  it('is the same after it was read and written', () => {
    const text =
      'at=2027-02-18T00%3A00%3A00.000Z&knowledge=now&since=2027-01-01T00%3A00%3A00.000Z&lanes=payment%2Cadmin' +
      '&actor=user&from=2026-01-01T00%3A00%3A00.000Z&to=2027-01-01T00%3A00%3A00.000Z&event=e1';
    expect(addressParams(read(text)).toString()).toBe(text);
  });

  it('ignores what it does not know', () => {
    expect(read('at=yesterday&knowledge=later&lanes=payment,other&from=x')).toEqual(read('lanes=payment'));
  });

  it('filters the timeline only by what concerns it', () => {
    expect(timelineFilter(read('at=2027-02-18&lanes=mail&actor=stripe&event=e1')).toString()).toBe(
      'lanes=mail&actorKind=stripe',
    );
  });

  it('reads and writes times in UTC, whatever the time zone of the browser is', () => {
    expect(fieldTime('2027-02-03T18:03:59.123Z')).toBe('2027-02-03T18:03');
    expect(typedTime('2027-02-03T18:03')).toBe('2027-02-03T18:03:00.000Z');
    expect([typedTime(''), typedTime('no time'), fieldTime(null)]).toEqual([null, null, '']);
  });
});
