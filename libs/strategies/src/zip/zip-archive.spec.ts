import { describe, expect, it } from '@jest/globals';
import { deflateRawSync } from 'node:zlib';
import { zipOutcomes, zipRefusal, type Outcome } from '../testing/zip-outcomes.ts';
import { writeZip, type WrittenEntry, type WrittenZip } from '../testing/zip-writer.ts';
import { zipLimits } from './zip-limits.ts';

const outcomesOf = async (entries: readonly WrittenEntry[], zip?: WrittenZip): Promise<readonly Outcome[]> =>
  zipOutcomes(writeZip(entries, zip));

const good: WrittenEntry = { name: 'good.json', data: 'good' };
const goodRead = ['good.json', 'good'] as const;

describe('honest archives', () => {
  it('are read, stored or deflated', async () => {
    const entries = [
      good,
      { name: 'stored.json', data: 'stored', method: 0 },
      { name: 'empty.json', data: '' },
    ];
    expect(await outcomesOf(entries)).toEqual([goodRead, ['stored.json', 'stored'], ['empty.json', '']]);
  });

  it('may have a long comment', async () => {
    expect(await outcomesOf([good], { comment: Buffer.alloc(300, 'c') })).toEqual([goodRead]);
    expect(await outcomesOf([good], { comment: Buffer.alloc(0xffff, 'c') })).toEqual([goodRead]);
  });

  it('may state sizes after the data', async () => {
    expect(
      await outcomesOf([
        { ...good, streamed: true },
        { name: 'b.json', data: 'b' },
      ]),
    ).toEqual([goodRead, ['b.json', 'b']]);
  });

  it('may have longer local headers than the table of contents says', async () => {
    const extra = Buffer.alloc(5_000);
    expect(await outcomesOf([{ ...good, local: { extra } }])).toEqual([goodRead]);
  });

  it('may leave room for sizes beyond 4 GB before the data', async () => {
    expect(await outcomesOf([{ ...good, local: { size: 0xffffffff } }])).toEqual([goodRead]);
  });

  it('may hold the bytes of an end record in the data', async () => {
    const data = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);
    const [read] = await outcomesOf([{ name: 'a.json', data, method: 0 }]);
    expect(read?.[1]).toBe(data.toString('latin1'));
  });

  it('may be preceded by a program that unpacks them', async () => {
    expect(await outcomesOf([good], { prefix: Buffer.alloc(64, '#') })).toEqual([goodRead]);
  });

  it('may be empty', async () => {
    expect(await outcomesOf([])).toEqual([]);
  });
});

describe('archives refused as a whole', () => {
  const two = (): Buffer => writeZip([good, { name: 'b.json', data: 'b' }]);
  const zip64Locator = Buffer.concat([Buffer.from('504b0607', 'hex'), Buffer.alloc(16)]);
  const fakeEnd = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

  it.each<[what: string, bytes: () => Buffer, code: string]>([
    ['nothing', () => Buffer.alloc(0), 'NOT_A_ZIP'],
    ['22 zero bytes', () => Buffer.alloc(22), 'NOT_A_ZIP'],
    ['text', () => Buffer.from('Dear reader, this is no archive.'.repeat(9)), 'NOT_A_ZIP'],
    ['one cut off within an entry', () => two().subarray(0, 40), 'NOT_A_ZIP'],
    ['one cut off within its table of contents', () => two().subarray(0, -60), 'NOT_A_ZIP'],
    ['a wrong number of entries', () => writeZip([good], { count: 19_999 }), 'ZIP_BROKEN'],
    ['too small a number of entries', () => writeZip([good, good], { count: 1 }), 'ZIP_BROKEN'],
    ['a table of contents past the end', () => writeZip([good], { directoryStart: 9_999_999 }), 'ZIP_BROKEN'],
    [
      'a table of contents longer than it is',
      () => writeZip([good], { directoryLength: 9_999 }),
      'ZIP_BROKEN',
    ],
    ['bytes after the table of contents', () => writeZip([good], { gap: Buffer.alloc(9) }), 'ZIP_BROKEN'],
    ['a ZIP64 locator', () => writeZip([good], { gap: zip64Locator }), 'ZIP64_UNSUPPORTED'],
    ['ZIP64 counts', () => writeZip([good], { count: 0xffff }), 'ZIP64_UNSUPPORTED'],
    ['ZIP64 sizes', () => writeZip([{ ...good, size: 0xffffffff }]), 'ZIP64_UNSUPPORTED'],
    ['a part of several', () => writeZip([good], { disk: 1 }), 'ZIP_MULTI_DISK'],
    ['fewer entries here than in all', () => writeZip([good], { countHere: 0 }), 'ZIP_MULTI_DISK'],
    ['a second end in the comment', () => writeZip([good], { comment: fakeEnd }), 'ZIP_AMBIGUOUS'],
    ['two archives, one after the other', () => Buffer.concat([two(), two()]), 'ZIP_BROKEN'],
    ['an entry past the end', () => writeZip([{ ...good, offset: 50_000 }]), 'ZIP_BROKEN'],
    ['an entry that reaches into the table', () => writeZip([{ ...good, compressedSize: 60 }]), 'ZIP_BROKEN'],
    ['an entry in the middle of another', () => writeZip([good, { ...good, offset: 3 }]), 'ZIP_BROKEN'],
    [
      'another name before the data',
      () => writeZip([{ ...good, local: { name: 'evil.json' } }]),
      'ZIP_HEADERS_DISAGREE',
    ],
    [
      'other flags before the data',
      () => writeZip([{ ...good, local: { flags: 1 } }]),
      'ZIP_HEADERS_DISAGREE',
    ],
    [
      'another method before the data',
      () => writeZip([{ ...good, local: { method: 0 } }]),
      'ZIP_HEADERS_DISAGREE',
    ],
  ])('%s', async (_what, bytes, code) => {
    expect(await zipRefusal(bytes())).toBe(code);
  });

  it('a comment with an end record that is not one is no reason', async () => {
    const comment = Buffer.concat([fakeEnd, Buffer.from('tail')]);
    expect(await zipRefusal(writeZip([good], { comment }))).toBe('opened');
  });

  it('entries that share bytes', async () => {
    const packed = deflateRawSync(Buffer.alloc(1_000_000));
    const kernel: WrittenEntry = { name: 'a.json', packed, size: 1_000_000, checksum: 0 };
    const copies = Array.from({ length: 21 }, (): WrittenEntry => ({
      ...kernel,
      offset: 0,
      packed: Buffer.alloc(0),
      compressedSize: packed.length,
    }));
    expect(await zipRefusal(writeZip([kernel, ...copies]))).toBe('ZIP_OVERLAP');
  });

  it('too many entries', async () => {
    const entries = Array.from({ length: zipLimits.entries + 1 }, (_, index) => ({
      name: `${index}`,
      method: 0,
    }));
    expect(await zipRefusal(writeZip(entries))).toBe('ZIP_TOO_LARGE');
    expect(await zipRefusal(writeZip(entries.slice(1)))).toBe('opened');
  });

  it('too much in all', async () => {
    const declared = { size: 7 * 1024 * 1024 };
    const entries = Array.from({ length: 58 }, (_, index) => ({ name: `${index}.json`, ...declared }));
    expect(await zipRefusal(writeZip(entries))).toBe('ZIP_TOO_LARGE');
  });
});
