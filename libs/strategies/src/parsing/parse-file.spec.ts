import { describe, expect, it } from '@jest/globals';
import { parseFile, rejectionOfName } from './parse-file.ts';

const record = (urlId: string): string => JSON.stringify({ url_id: urlId, title: `Título ${urlId}` });
const [a, b, c] = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc'].map(record) as [string, string, string];

/** Per item its entry, and its url_id or the code of its rejection. */
const itemsOf = (content: string | Buffer, name = 'x.json'): readonly string[] =>
  [...parseFile(name, Buffer.from(content as string))].map((found) =>
    found.kind === 'record'
      ? `${found.entry}: ${found.record.url_id}`
      : `${found.rejection.entry}: ${found.rejection.code}`,
  );

describe('parseFile', () => {
  it('parses one object', () => {
    expect(itemsOf(a)).toEqual(['x.json: aaaaaaaa']);
    expect(itemsOf(JSON.stringify(JSON.parse(a), null, 2))).toEqual(['x.json: aaaaaaaa']);
  });

  it('parses an array, last item first', () => {
    expect(itemsOf(`[${a},${b}]`)).toEqual(['x.json item 2: bbbbbbbb', 'x.json item 1: aaaaaaaa']);
  });

  it.each(['x.ndjson', 'x.jsonl', 'X.JSON'])('parses one object per line in %s, last line first', (name) => {
    const seen = [`${name} line 5: cccccccc`, `${name} line 3: bbbbbbbb`, `${name} line 1: aaaaaaaa`];
    expect(itemsOf(`${a}\n\n${b}\r\n\n${c}`, name)).toEqual(seen);
    expect(itemsOf(`${a}\n\n${b}\n  \n${c}\n`, name)).toEqual(seen);
  });

  it('rejects a broken line and parses the others', () => {
    expect(itemsOf(`${a}\n{"url_id":\n${b}`)).toEqual([
      'x.json line 3: bbbbbbbb',
      'x.json line 2: NOT_JSON',
      'x.json line 1: aaaaaaaa',
    ]);
  });

  it.each([
    ['', 'EMPTY_FILE'],
    [' \n ', 'EMPTY_FILE'],
    ['[]', 'EMPTY_FILE'],
    ['{', 'NOT_JSON'],
    ['hello', 'NOT_JSON'],
    [`{\n${a}`, 'NOT_JSON'],
    ['null', 'NOT_A_RECORD'],
    ['"text"', 'NOT_A_RECORD'],
    ['{}', 'MISSING_URL_ID'],
    ['['.repeat(20_000), 'NOT_JSON'],
  ])('rejects a file without a record (%#)', (content, code) => {
    expect(itemsOf(content)).toEqual([`x.json: ${code}`]);
  });

  it('rejects what is not an object in an array', () => {
    expect(itemsOf(`[${a},null,[${b}]]`)).toEqual([
      'x.json item 3: NOT_A_RECORD',
      'x.json item 2: NOT_A_RECORD',
      'x.json item 1: aaaaaaaa',
    ]);
  });

  it('gives the url_id of a rejected record when there is one', () => {
    const [item] = parseFile('x.json', Buffer.from('{"url_id":"aaaaaaaa"}'));
    expect(item).toMatchObject({
      kind: 'rejected',
      rejection: { urlId: 'aaaaaaaa', code: 'MISSING_TITLE' },
    });
  });

  it('parses a single line of 2 MB', () => {
    const wide = JSON.stringify({ url_id: 'aaaaaaaa', title: 'Wide', pine_script: 'x'.repeat(2_000_000) });
    expect(itemsOf(wide)).toEqual(['x.json: aaaaaaaa']);
  });
});

describe('parseFile with an encoding', () => {
  const utf16le = Buffer.from(`\uFEFF${a}`, 'utf16le');

  it.each<[what: string, bytes: Buffer]>([
    ['UTF-8', Buffer.from(a)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${a}`)],
    ['UTF-16 little-endian', utf16le],
    ['UTF-16 big-endian', Buffer.from(utf16le).swap16()],
  ])('decodes %s', (_what, bytes) => {
    const [found] = parseFile('x.json', bytes);
    expect(found).toMatchObject({ kind: 'record', record: { title: 'Título aaaaaaaa' } });
  });

  it.each<[what: string, bytes: Buffer, code: string]>([
    ['Latin-1', Buffer.from(a, 'latin1'), 'NOT_UTF8'],
    ['UTF-16 without a mark', Buffer.from(a, 'utf16le'), 'NOT_UTF8'],
    ['UTF-16 cut in half', utf16le.subarray(0, -1), 'NOT_UTF8'],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'NOT_UTF8'],
    ['a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47]), 'NOT_UTF8'],
  ])('rejects %s', (_what, bytes, code) => {
    expect(itemsOf(bytes)).toEqual([`x.json: ${code}`]);
  });
});

describe('rejectionOfName', () => {
  it.each(['a.json', 'a/b.JSON', 'a.ndjson', 'a.jsonl'])('accepts %s', (name) => {
    expect(rejectionOfName(name)).toBeNull();
  });

  it.each([
    ['inner.zip', 'NESTED_ARCHIVE'],
    ['42.tar.gz', 'NESTED_ARCHIVE'],
    ['README.md', 'NOT_A_JSON_FILE'],
    ['constructor', 'NOT_A_JSON_FILE'],
    ['a.json.txt', 'NOT_A_JSON_FILE'],
  ])('rejects %s with %s', (name, code) => {
    expect(rejectionOfName(name)?.code).toBe(code);
  });
});
