import { describe, expect, it } from '@jest/globals';
import { emptyRecord } from '../domain/strategy-record.ts';
import { parseRecord } from './parse-record.ts';

const minimal = { url_id: 'S3LKflwr', title: 'Alligator' };

describe('parseRecord', () => {
  it('accepts a record with only an id and a title', () => {
    expect(parseRecord(minimal)).toEqual({ ...emptyRecord, ...minimal });
  });

  it('treats empty, null and missing fields alike', () => {
    const blank = Object.fromEntries(Object.keys(emptyRecord).map((field) => [field, '']));
    expect(parseRecord({ ...blank, ...minimal })).toEqual(parseRecord(minimal));
    const none = Object.fromEntries(Object.keys(emptyRecord).map((field) => [field, null]));
    expect(parseRecord({ ...none, ...minimal })).toEqual(parseRecord(minimal));
  });

  it('ignores unknown fields, also known ones in camel case', () => {
    expect(parseRecord({ ...minimal, pineScript: 'x', likesCount: 3 })).toEqual(parseRecord(minimal));
    const polluting = JSON.parse(
      '{"url_id":"S3LKflwr","title":"Alligator","__proto__":{"likes":1}}',
    ) as unknown;
    expect(parseRecord(polluting)).toEqual(parseRecord(minimal));
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
  ])('parses %s from %j as %j', (field, given, read) => {
    expect(parseRecord({ ...minimal, [field]: given })).toEqual(expect.objectContaining({ [field]: read }));
  });

  it('leaves out names that are longer than 200 characters, and those after the first 200', () => {
    const long = 'x'.repeat(200);
    const { categories, timeframes, markets } = parseRecord({
      ...minimal,
      categories: [long, `${long}x`, 'SMA'],
      timeframes: `1d, ${'z'.repeat(9_000)}`,
      markets: Array.from({ length: 201 }, (_, at) => `market ${at}`),
    });
    expect(categories).toEqual([long, 'SMA']);
    expect(timeframes).toEqual(['1d']);
    expect([markets.length, markets.at(-1)]).toEqual([200, 'market 199']);
  });

  it('keeps the inputs of a script unchanged', () => {
    const strategy_inputs = [
      { name: ' ', default: 14, type: 'int' },
      { name: 'Length →', default: 14, type: 'integer' },
      { name: 'From', default: 'timestamp("01 April 2021 20:00")' },
      { name: 'Use', default: true },
    ];
    expect(parseRecord({ ...minimal, strategy_inputs }).strategy_inputs).toEqual(strategy_inputs);
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
  ])('parses the date %j as %p', (given, day) => {
    expect(parseRecord({ ...minimal, publication_date: given }).publication_date).toBe(day);
  });

  it.each<[code: string, value: unknown]>([
    ['NOT_A_RECORD', null],
    ['NOT_A_RECORD', 'text'],
    ['NOT_A_RECORD', [minimal]],
    ['MISSING_URL_ID', { title: 'Alligator' }],
    ['MISSING_URL_ID', { ...minimal, url_id: '' }],
    ['BAD_URL_ID', { ...minimal, url_id: 'S3LKflw' }],
    ['BAD_URL_ID', { ...minimal, url_id: 'S3LKflw-' }],
    ['BAD_URL_ID', { ...minimal, url_id: '../../et' }],
    ['MISSING_TITLE', { url_id: 'S3LKflwr' }],
    ['MISSING_TITLE', { ...minimal, title: '   ' }],
    ['TITLE_TOO_LONG', { ...minimal, title: 'x'.repeat(501) }],
    ['TEXT_NOT_STORABLE', { ...minimal, title: 'a\u0000b' }],
    ['TEXT_NOT_STORABLE', { ...minimal, pine_script: 'a\uD800b' }],
    ['TEXT_NOT_STORABLE', { ...minimal, categories: ['\uDC00'] }],
    ['TEXT_NOT_STORABLE', { ...minimal, strategy_inputs: [{ name: 'a\u0000' }] }],
    ['TEXT_NOT_STORABLE', { ...minimal, strategy_inputs: [{ 'a\u0000': 1 }] }],
    ['TOO_DEEP', { ...minimal, top_comments: JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)) as unknown }],
  ])('rejects with %s', (code, value) => {
    expect(() => parseRecord(value)).toThrow(expect.objectContaining({ code }));
  });

  it('names the field whose text cannot be stored', () => {
    expect(() => parseRecord({ ...minimal, pine_script: 'a\u0000' })).toThrow(/pine_script holds U\+0000/);
  });

  it('accepts characters beyond the BMP, and a number as an id', () => {
    expect(parseRecord({ url_id: 12_345_678, title: '🐊' })).toMatchObject({
      url_id: '12345678',
      title: '🐊',
    });
  });
});
