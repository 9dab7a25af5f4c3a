import { describe, expect, it } from '@jest/globals';
import { crc32, deflateRawSync } from 'node:zlib';
import { withFile, zipOutcomes, type Outcome } from '../testing/zip-outcomes.ts';
import { writeZip, type WrittenEntry } from '../testing/zip-writer.ts';
import { openZip } from './zip-archive.ts';
import { zipLimits } from './zip-file.ts';

const outcomesOf = async (entries: readonly WrittenEntry[]): Promise<readonly Outcome[]> =>
  zipOutcomes(writeZip(entries));

const good: WrittenEntry = { name: 'good.json', data: 'good' };
const goodRead = ['good.json', 'good'] as const;

/** The outcome of one entry between two good ones, which must be read in any case. */
const outcomeBetweenGood = async (entry: WrittenEntry): Promise<string | undefined> => {
  const [first, middle, last, ...rest] = await outcomesOf([
    { name: 'first.json', data: 'first' },
    entry,
    { name: 'last.json', data: 'last' },
  ]);
  expect(rest).toEqual([]);
  expect([first, last]).toEqual([
    ['first.json', 'first'],
    ['last.json', 'last'],
  ]);
  return middle?.[1];
};

describe('an entry with an unsafe name', () => {
  it.each<[what: string, name: string]>([
    ['that leads out of the archive', '../x.json'],
    ['that leads to a sibling folder', '../out2/x.json'],
    ['that leads out of the archive by a detour', 'a/../../x.json'],
    ['that is an absolute path', '/etc/x.json'],
    ['with a drive and backslashes', 'C:\\x.json'],
    ['with a drive and slashes', 'C:/x.json'],
    ['that leads out of the archive with backslashes', '..\\x.json'],
    ['with U+0000', 'a\u0000.json'],
    ['with a line break', 'a\n.json'],
    ['with a right-to-left override', 'a\u202Enosj.json'],
    ['with an invisible character', 'a\u200B.json'],
    ['that is empty', ''],
    ['of 205 bytes', `${'n'.repeat(200)}.json`],
    ['of 65,535 bytes', 'n'.repeat(65_535)],
  ])('is rejected: a name %s', async (_what, name) => {
    expect(await outcomeBetweenGood({ name, data: 'bad' })).toBe('ENTRY_NAME');
  });

  it('is rejected: a name that is not UTF-8 and leads out of the archive', async () => {
    const name = Buffer.from([0x2e, 0x2e, 0x2f, 0x81, 0x2e]);
    expect(await outcomeBetweenGood({ name, data: 'bad' })).toBe('ENTRY_NAME');
  });

  it('is rejected when a later entry has the same name, also in another Unicode normalisation', async () => {
    const seen = await outcomesOf([
      { name: 'caf\u00E9.json', data: '1' },
      good,
      { name: 'cafe\u0301.json', data: '2' },
    ]);
    expect(seen).toEqual([['caf\u00E9.json', 'ENTRY_DUPLICATE_NAME'], goodRead, ['caf\u00E9.json', '2']]);
  });

  it('is shown with its invisible characters escaped', async () => {
    const [[name] = ['']] = await outcomesOf([{ name: 'a\u202Enosj.json', data: '' }]);
    expect(name).toBe('a\\u{202e}nosj.json');
  });
});

describe('an entry whose name is not UTF-8', () => {
  it('is read, and its name is that of code page 437', async () => {
    const upper = Buffer.from(Array.from({ length: 128 }, (_, at) => at + 128));
    const seen = await outcomesOf([
      { name: Buffer.from([0x81, 0x62, 0x65, 0x72, 0x2e, 0x6a, 0x73, 0x6f, 0x6e]), data: '1' },
      { name: upper, data: '2' },
      good,
    ]);
    expect(seen.map(([, content]) => content)).toEqual(['1', '2', 'good']);
    expect(seen[0]?.[0]).toBe('über.json');
    expect(seen[1]?.[0]).toMatch(/^Çüéâ.*ⁿ²■\u00a0$/);
    expect(seen[1]?.[0]).toHaveLength(128);
  });
});

describe('an entry with a safe name', () => {
  it.each(['__proto__/x.json', 'constructor', 'CON', 'a.json/b.json', 'täglich ✓.json', 'x..json'])(
    'is read: %j',
    async (name) => {
      expect(await outcomeBetweenGood({ name, data: 'fine' })).toBe('fine');
    },
  );

  it('is read beside an entry whose name differs only in case', async () => {
    expect(
      await outcomesOf([
        { name: 'a.json', data: '1' },
        { name: 'A.json', data: '2' },
      ]),
    ).toEqual([
      ['a.json', '1'],
      ['A.json', '2'],
    ]);
  });

  it.each([
    '__MACOSX/._a.json',
    '.DS_Store',
    'x/.DS_Store',
    'Thumbs.db',
    '.git/config',
    'folder/',
    'desktop.ini',
  ])('is ignored when it is a system file or folder: %j', async (name) => {
    expect(await outcomesOf([good, { name, data: '', method: 0 }])).toEqual([goodRead]);
  });
});

describe('an entry of an unsupported form', () => {
  const unix = (mode: number): number => (mode << 16) >>> 0;

  it.each<[what: string, entry: Partial<WrittenEntry>, code: string]>([
    ['a symbolic link', { externalAttributes: unix(0o120777), data: '/etc/passwd' }, 'ENTRY_NOT_A_FILE'],
    ['a device', { externalAttributes: unix(0o020666) }, 'ENTRY_NOT_A_FILE'],
    ['a pipe', { externalAttributes: unix(0o010666) }, 'ENTRY_NOT_A_FILE'],
    ['ZipCrypto', { flags: 0x801 }, 'ENTRY_ENCRYPTED'],
    ['strong encryption', { flags: 0x841 }, 'ENTRY_ENCRYPTED'],
    ['a masked header', { flags: 0x2800 }, 'ENTRY_ENCRYPTED'],
    ['AES', { method: 99, flags: 0x800 }, 'ENTRY_METHOD'],
    ['bzip2', { method: 12 }, 'ENTRY_METHOD'],
    ['zstd', { method: 93 }, 'ENTRY_METHOD'],
  ])('is rejected: %s', async (_what, entry, code) => {
    expect(await outcomeBetweenGood({ name: 'bad.json', data: 'bad', ...entry })).toBe(code);
  });

  it('is rejected: a folder with content', async () => {
    expect(await outcomeBetweenGood({ name: 'folder/', data: 'content' })).toBe('ENTRY_NOT_A_FILE');
  });
});

describe('an entry with a bad size or content', () => {
  const large = Buffer.alloc(50 * 1024 * 1024);

  it.each<[what: string, entry: Partial<WrittenEntry>, code: string]>([
    ['a declared size that is too large', { data: 'bad', size: 1_000 }, 'ENTRY_SIZE_WRONG'],
    ['a stored entry with two sizes', { data: 'bad', method: 0, size: 9 }, 'ENTRY_SIZE_WRONG'],
    ['a different size in the local header', { data: 'bad', local: { size: 4 } }, 'ENTRY_SIZE_WRONG'],
    ['no packed data', { data: 'bad', packed: Buffer.alloc(0) }, 'ENTRY_SIZE_WRONG'],
    ['a wrong checksum', { data: 'bad', checksum: 1 }, 'ENTRY_CHECKSUM'],
    ['packed data that is not deflated', { data: 'bad', packed: Buffer.alloc(40, 0xff) }, 'ENTRY_BROKEN'],
    [
      'packed data that is cut off',
      { data: 'bad', packed: deflateRawSync(Buffer.from('bad')).subarray(0, 3) },
      'ENTRY_BROKEN',
    ],
    [
      '8 MB and a byte',
      { size: zipLimits.maxEntryBytes + 1, local: { size: zipLimits.maxEntryBytes + 1 } },
      'ENTRY_TOO_LARGE',
    ],
  ])('is rejected: %s', async (_what, entry, code) => {
    expect(await outcomeBetweenGood({ name: 'bad.json', ...entry })).toBe(code);
  });

  it('is rejected without being unpacked when it is a decompression bomb', async () => {
    const packed = deflateRawSync(large, { level: 9 });
    const checksum = crc32(large);
    const before = process.memoryUsage().rss;
    const started = performance.now();
    expect(await outcomeBetweenGood({ name: 'bomb.json', packed, checksum, size: 10 })).toBe(
      'ENTRY_SIZE_WRONG',
    );
    expect(await outcomeBetweenGood({ name: 'bomb.json', packed, checksum, size: large.length })).toBe(
      'ENTRY_TOO_LARGE',
    );
    const megabyte = Buffer.alloc(1024 * 1024 + 1);
    expect(await outcomeBetweenGood({ name: 'bomb.json', data: megabyte })).toBe('ENTRY_RATIO');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
    expect(performance.now() - started).toBeLessThan(30_000);
  });

  it('is read up to 8 MB at an ordinary compression ratio', async () => {
    const noise = Buffer.alloc(zipLimits.maxEntryBytes);
    for (let at = 0; at < noise.length; at++) noise[at] = (at * 2_654_435_761) >>> 24;
    await withFile('a.zip', writeZip([{ name: 'a.json', data: noise, method: 0 }]), async (path) => {
      const zip = await openZip(path);
      const [entry] = zip.entries;
      expect(entry && (await zip.read(entry)).equals(noise)).toBe(true);
      await zip.close();
    });
  });
});
