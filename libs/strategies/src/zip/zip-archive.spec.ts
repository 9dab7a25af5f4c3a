import { describe, expect, it } from '@jest/globals';
import { deflateRawSync } from 'node:zlib';
import { openOutcome, zipOutcomes, type Outcome } from '../testing/zip-outcomes.ts';
import { writeZip, type WrittenEntry, type WrittenZip } from '../testing/zip-writer.ts';
import { zipLimits } from './zip-file.ts';

const outcomesOf = async (entries: readonly WrittenEntry[], zip?: WrittenZip): Promise<readonly Outcome[]> =>
  zipOutcomes(writeZip(entries, zip));

const good: WrittenEntry = { name: 'good.json', data: 'good' };
const goodRead = ['good.json', 'good'] as const;

describe('openZip with a valid archive', () => {
  it('reads stored and deflated entries', async () => {
    const entries = [
      good,
      { name: 'stored.json', data: 'stored', method: 0 },
      { name: 'empty.json', data: '' },
    ];
    expect(await outcomesOf(entries)).toEqual([goodRead, ['stored.json', 'stored'], ['empty.json', '']]);
  });

  it('accepts a long comment', async () => {
    expect(await outcomesOf([good], { comment: Buffer.alloc(300, 'c') })).toEqual([goodRead]);
    expect(await outcomesOf([good], { comment: Buffer.alloc(0xffff, 'c') })).toEqual([goodRead]);
  });

  it('accepts sizes that follow the data', async () => {
    expect(
      await outcomesOf([
        { ...good, streamed: true },
        { name: 'b.json', data: 'b' },
      ]),
    ).toEqual([goodRead, ['b.json', 'b']]);
  });

  it('accepts local headers that are longer than the central directory says', async () => {
    const extra = Buffer.alloc(5_000);
    expect(await outcomesOf([{ ...good, local: { extra } }])).toEqual([goodRead]);
  });

  it('accepts a local header that reserves space for ZIP64 sizes', async () => {
    expect(await outcomesOf([{ ...good, local: { size: 0xffffffff } }])).toEqual([goodRead]);
  });

  it('accepts the bytes of an end record in the data', async () => {
    const data = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);
    const [read] = await outcomesOf([{ name: 'a.json', data, method: 0 }]);
    expect(read?.[1]).toBe(data.toString('latin1'));
  });

  it('accepts a self-extracting archive', async () => {
    expect(await outcomesOf([good], { prefix: Buffer.alloc(64, '#') })).toEqual([goodRead]);
  });

  it('accepts an archive without entries', async () => {
    expect(await outcomesOf([])).toEqual([]);
  });
});

describe('openZip with a bad archive', () => {
  const two = (): Buffer => writeZip([good, { name: 'b.json', data: 'b' }]);
  const zip64Locator = Buffer.concat([Buffer.from('504b0607', 'hex'), Buffer.alloc(16)]);
  const fakeEnd = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

  it.each<[what: string, bytes: () => Buffer, code: string]>([
    ['an empty file', () => Buffer.alloc(0), 'NOT_A_ZIP'],
    ['22 zero bytes', () => Buffer.alloc(22), 'NOT_A_ZIP'],
    ['text', () => Buffer.from('Dear reader, this is no archive.'.repeat(9)), 'NOT_A_ZIP'],
    ['an archive cut off within an entry', () => two().subarray(0, 40), 'NOT_A_ZIP'],
    ['an archive cut off within its central directory', () => two().subarray(0, -60), 'NOT_A_ZIP'],
    ['a wrong number of entries', () => writeZip([good], { count: 19_999 }), 'ZIP_BROKEN'],
    ['too small a number of entries', () => writeZip([good, good], { count: 1 }), 'ZIP_BROKEN'],
    ['a central directory past the end', () => writeZip([good], { directoryStart: 9_999_999 }), 'ZIP_BROKEN'],
    [
      'a central directory that is declared too long',
      () => writeZip([good], { directoryLength: 9_999 }),
      'ZIP_BROKEN',
    ],
    ['bytes after the central directory', () => writeZip([good], { gap: Buffer.alloc(9) }), 'ZIP_BROKEN'],
    ['a ZIP64 locator', () => writeZip([good], { gap: zip64Locator }), 'ZIP64_UNSUPPORTED'],
    ['ZIP64 counts', () => writeZip([good], { count: 0xffff }), 'ZIP64_UNSUPPORTED'],
    ['ZIP64 sizes', () => writeZip([{ ...good, size: 0xffffffff }]), 'ZIP64_UNSUPPORTED'],
    ['one part of several', () => writeZip([good], { disk: 1 }), 'ZIP_MULTI_DISK'],
    [
      'fewer entries in this part than in all parts',
      () => writeZip([good], { countHere: 0 }),
      'ZIP_MULTI_DISK',
    ],
    ['a second end record in the comment', () => writeZip([good], { comment: fakeEnd }), 'ZIP_AMBIGUOUS'],
    ['two archives, one after the other', () => Buffer.concat([two(), two()]), 'ZIP_BROKEN'],
    ['an entry past the end', () => writeZip([{ ...good, offset: 50_000 }]), 'ZIP_BROKEN'],
    ['an entry that reaches into the table', () => writeZip([{ ...good, compressedSize: 60 }]), 'ZIP_BROKEN'],
    ['an entry that starts within another', () => writeZip([good, { ...good, offset: 3 }]), 'ZIP_BROKEN'],
    [
      'a different name in the local header',
      () => writeZip([{ ...good, local: { name: 'evil.json' } }]),
      'ZIP_HEADERS_DISAGREE',
    ],
    [
      'different flags in the local header',
      () => writeZip([{ ...good, local: { flags: 1 } }]),
      'ZIP_HEADERS_DISAGREE',
    ],
    [
      'a different method in the local header',
      () => writeZip([{ ...good, local: { method: 0 } }]),
      'ZIP_HEADERS_DISAGREE',
    ],
  ])('rejects %s', async (_what, bytes, code) => {
    expect(await openOutcome(bytes())).toBe(code);
  });

  it('accepts an end record within the comment that does not reach to the end of the file', async () => {
    const comment = Buffer.concat([fakeEnd, Buffer.from('tail')]);
    expect(await openOutcome(writeZip([good], { comment }))).toBe('opened');
  });

  it('rejects entries that share bytes', async () => {
    const packed = deflateRawSync(Buffer.alloc(1_000_000));
    const kernel: WrittenEntry = { name: 'a.json', packed, size: 1_000_000, checksum: 0 };
    const copies = Array.from({ length: 21 }, (): WrittenEntry => ({
      ...kernel,
      offset: 0,
      packed: Buffer.alloc(0),
      compressedSize: packed.length,
    }));
    expect(await openOutcome(writeZip([kernel, ...copies]))).toBe('ZIP_OVERLAP');
  });

  it('rejects more than the maximum number of entries', async () => {
    const entries = Array.from({ length: zipLimits.maxEntries + 1 }, (_, index) => ({
      name: `${index}`,
      method: 0,
    }));
    expect(await openOutcome(writeZip(entries))).toBe('ZIP_TOO_LARGE');
    expect(await openOutcome(writeZip(entries.slice(1)))).toBe('opened');
  });

  it('rejects more than the maximum total size', async () => {
    const declared = { size: 7 * 1024 * 1024 };
    const entries = Array.from({ length: 58 }, (_, index) => ({ name: `${index}.json`, ...declared }));
    expect(await openOutcome(writeZip(entries))).toBe('ZIP_TOO_LARGE');
  });
});
