import { describe, expect, it } from '@jest/globals';
import { emptyRecord } from '../domain/strategy-record.ts';
import { fingerprintOf } from './fingerprint.ts';
import { readRecord } from './read-record.ts';

const least = { url_id: 'S3LKflwr', title: 'Alligator' };

describe('readRecord', () => {
  it('takes a record with nothing but its id and title', () => {
    expect(readRecord(least)).toEqual({ ...emptyRecord, ...least });
  });

  it('takes empty, null and missing alike', () => {
    const blank = Object.fromEntries(Object.keys(emptyRecord).map((field) => [field, '']));
    expect(readRecord({ ...blank, ...least })).toEqual(readRecord(least));
    const none = Object.fromEntries(Object.keys(emptyRecord).map((field) => [field, null]));
    expect(readRecord({ ...none, ...least })).toEqual(readRecord(least));
  });

  it('ignores fields it does not know, and those in camel case', () => {
    expect(readRecord({ ...least, pineScript: 'x', likesCount: 3 })).toEqual(readRecord(least));
    const polluting = JSON.parse(
      '{"url_id":"S3LKflwr","title":"Alligator","__proto__":{"likes":1}}',
    ) as unknown;
    expect(readRecord(polluting)).toEqual(readRecord(least));
    expect(({} as Record<string, unknown>)['likes']).toBeUndefined();
  });

  it.each<[field: string, given: unknown, read: unknown]>([
    ['likes', '1,234', 1_234],
    ['likes', '20.3K', 20_300],
    ['likes', 0, 0],
    ['likes', -1, null],
    ['likes', 'many', null],
    ['likes', 1e300, null],
    ['likes', {}, null],
    ['pine_version', 'v5', 5],
    ['pine_version', '6', 6],
    ['slippage', '5 ticks', 5],
    ['precision', 2.0, 2],
    ['initial_capital', 10_000, '10000'],
    ['initial_capital', '10,000 USD', '10,000 USD'],
    ['total_trades', 26, '26'],
    ['commission', '6e-05%', '6e-05%'],
    ['total_pandl', ' −344.63 USDT (−34.46%) ', '−344.63 USDT (−34.46%)'],
    ['total_pandl', '1,250\nUSD\n2.5%', '1,250\nUSD\n2.5%'],
    ['author', ['Ada'], null],
    ['author', '  Ada  ', 'Ada'],
    ['open_source', 'true', true],
    ['open_source', 'No', false],
    ['open_source', 1, true],
    ['open_source', 'perhaps', null],
    ['categories', ['SMA', ' EMA ', 'SMA', '', 7, null], ['SMA', 'EMA', '7']],
    ['categories', 'SMA, EMA', ['SMA', 'EMA']],
    ['categories', '["SMA","EMA"]', ['SMA', 'EMA']],
    ['categories', '[broken', ['[broken']],
    ['timeframes', '1d', ['1d']],
    ['related_strategies', '["05c73hlS"]', ['05c73hlS']],
    ['top_comments', 'Thanks', ['Thanks']],
    ['top_comments', { author: 'Bo' }, [{ author: 'Bo' }]],
    ['full_description', '  kept as it is\n', '  kept as it is\n'],
    ['currency', 'NONE', 'NONE'],
  ])('reads %s from %j as %j', (field, given, read) => {
    expect(readRecord({ ...least, [field]: given })).toEqual(expect.objectContaining({ [field]: read }));
  });

  it('keeps the inputs of a script as they are', () => {
    const strategy_inputs = [
      { name: ' ', default: 14, type: 'int' },
      { name: 'Length →', default: 14, type: 'integer' },
      { name: 'From', default: 'timestamp("01 April 2021 20:00")' },
      { name: 'Use', default: true },
    ];
    expect(readRecord({ ...least, strategy_inputs }).strategy_inputs).toEqual(strategy_inputs);
  });

  it.each<[given: unknown, day: string | null]>([
    ['2024-05-17', '2024-05-17'],
    ['2024/5/7', '2024-05-07'],
    ['2024-05-17 20:00', '2024-05-17'],
    ['2024-05-17T23:30:00-05:00', '2024-05-18'],
    ['2024-05-17T23:30:00Z', '2024-05-17'],
    ['May 17, 2024', '2024-05-17'],
    ['Jan 05, 2025, 02:00', '2025-01-05'],
    ['17 September 2024', '2024-09-17'],
    ['Sept. 3rd 2024', '2024-09-03'],
    [1_715_904_000_000, '2024-05-17'],
    [1_715_904_000, '2024-05-17'],
    ['1715904000000', '2024-05-17'],
    ['2024-02-30', null],
    ['2024-13-01', null],
    ['0000-01-01', null],
    ['9999-01-01', null],
    ['05/06/2024', null],
    ['soon', null],
    [true, null],
    [{}, null],
  ])('reads the date %j as %p', (given, day) => {
    expect(readRecord({ ...least, publication_date: given }).publication_date).toBe(day);
  });

  it.each<[code: string, value: unknown]>([
    ['NOT_A_RECORD', null],
    ['NOT_A_RECORD', 'text'],
    ['NOT_A_RECORD', [least]],
    ['MISSING_URL_ID', { title: 'Alligator' }],
    ['MISSING_URL_ID', { ...least, url_id: '' }],
    ['BAD_URL_ID', { ...least, url_id: 'S3LKflw' }],
    ['BAD_URL_ID', { ...least, url_id: 'S3LKflw-' }],
    ['BAD_URL_ID', { ...least, url_id: '../../et' }],
    ['MISSING_TITLE', { url_id: 'S3LKflwr' }],
    ['MISSING_TITLE', { ...least, title: '   ' }],
    ['TITLE_TOO_LONG', { ...least, title: 'x'.repeat(501) }],
    ['TEXT_NOT_STORABLE', { ...least, title: 'a\u0000b' }],
    ['TEXT_NOT_STORABLE', { ...least, pine_script: 'a\uD800b' }],
    ['TEXT_NOT_STORABLE', { ...least, categories: ['\uDC00'] }],
    ['TEXT_NOT_STORABLE', { ...least, strategy_inputs: [{ name: 'a\u0000' }] }],
    ['TEXT_NOT_STORABLE', { ...least, strategy_inputs: [{ 'a\u0000': 1 }] }],
    ['TOO_DEEP', { ...least, top_comments: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown }],
  ])('refuses with %s', (code, value) => {
    expect(() => readRecord(value)).toThrow(expect.objectContaining({ code }));
  });

  it('says in which field a text cannot be stored', () => {
    expect(() => readRecord({ ...least, pine_script: 'a\u0000' })).toThrow(/pine_script holds U\+0000/);
  });

  it('takes characters beyond the first plane and numbers as ids', () => {
    expect(readRecord({ url_id: 12_345_678, title: '🐊' })).toMatchObject({
      url_id: '12345678',
      title: '🐊',
    });
  });
});

describe('fingerprintOf', () => {
  it('does not depend on the order of fields', () => {
    const a = readRecord({ ...least, strategy_inputs: [{ name: 'n', default: 1 }] });
    const b = readRecord({
      strategy_inputs: [{ default: 1, name: 'n' }],
      title: 'Alligator',
      url_id: 'S3LKflwr',
    });
    expect(fingerprintOf(a)).toEqual(fingerprintOf(b));
    expect(fingerprintOf({ ...a, likes: 1 }).contentHash).not.toBe(fingerprintOf(a).contentHash);
  });
});
