import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '@tapedeck/eventing/testing';
import { temporaryFolder } from '@tapedeck/platform/testing';
import { writeZip, type WrittenEntry } from '@tapedeck/strategies/testing';
import type { ProcessName } from './payments/real-processes.ts';
import { startUploadProduct, type UploadProduct } from './upload-product.ts';

const mebibyte = 1_048_576;
const maxGrowth = 100 * mebibyte;

const good: WrittenEntry = { name: 'good.json', data: JSON.stringify({ url_id: 'Good0001', title: 'Good' }) };
const goodZip = (): Buffer => writeZip([good]);
const fiftyMegabytes = deflateRawSync(Buffer.alloc(50 * mebibyte), { level: 9 });
const bomb = (size: number): Buffer => writeZip([{ name: 'bomb.json', packed: fiftyMegabytes, size }, good]);
const fakeEnd = Buffer.concat([Buffer.from('504b0506', 'hex'), Buffer.alloc(18)]);

/** The same packed bytes for many entries. */
const overlapping = (): Buffer => {
  const packed = deflateRawSync(Buffer.alloc(mebibyte));
  const kernel: WrittenEntry = { name: 'a.json', packed, size: mebibyte, checksum: 0 };
  const copy = { ...kernel, offset: 0, packed: Buffer.alloc(0), compressedSize: packed.length };
  return writeZip([kernel, ...Array.from({ length: 500 }, () => copy)]);
};

/** As large as an entry may be: valid records that repeat each other as far as the limit of compression permits. */
const entryOfMaxSize = (n: number): WrittenEntry => {
  const repeated = randomBytes(7_500).toString('base64');
  const record = (at: number): string => {
    const description = repeated + randomBytes(240).toString('base64');
    return JSON.stringify({ url_id: `Big${n}x${at}`, title: 'Big', description });
  };
  const count = Math.floor((7.9 * mebibyte) / record(0).length);
  return { name: `${n}.json`, data: `[${Array.from({ length: count }, (_, at) => record(at % 3)).join()}]` };
};

type Kind = Readonly<{ what: string; zip: () => Buffer; phase: 'complete' | 'error' }>;

const goodKind: Kind = { what: 'a good archive', zip: goodZip, phase: 'complete' };

const kinds: readonly Kind[] = [
  { what: '22 zero bytes', zip: () => Buffer.alloc(22), phase: 'error' },
  { what: '20 MB of noise', zip: () => randomBytes(20 * mebibyte), phase: 'error' },
  { what: 'an archive that is cut off', zip: () => goodZip().subarray(0, 40), phase: 'error' },
  { what: 'a wrong number of entries', zip: () => writeZip([good], { count: 19_999 }), phase: 'error' },
  {
    what: 'a directory past the end',
    zip: () => writeZip([good], { directoryStart: 9_999_999 }),
    phase: 'error',
  },
  { what: 'ZIP64 counts', zip: () => writeZip([good], { count: 0xffff }), phase: 'error' },
  { what: 'a second end in the comment', zip: () => writeZip([good], { comment: fakeEnd }), phase: 'error' },
  { what: 'entries that share bytes', zip: overlapping, phase: 'error' },
  {
    what: '60,000 entries',
    zip: () => writeZip(Array.from({ length: 60_000 }, (_, n) => ({ name: `${n}`, method: 0 }))),
    phase: 'error',
  },
  { what: '50 MB that are declared as 10 bytes', zip: () => bomb(10), phase: 'complete' },
  { what: '50 MB', zip: () => bomb(50 * mebibyte), phase: 'complete' },
  {
    what: 'an archive in an archive',
    zip: () => writeZip([{ name: 'inner.zip', data: bomb(10) }, good]),
    phase: 'complete',
  },
  {
    what: 'names that lead elsewhere',
    zip: () =>
      writeZip([
        good,
        ...['../evil.json', '/tmp/evil.json', 'C:\\evil.json', 'n'.repeat(65_535)].map((name) => ({
          ...good,
          name,
        })),
        { name: 'link.json', data: '/etc/passwd', externalAttributes: (0o120777 << 16) >>> 0 },
      ]),
    phase: 'complete',
  },
  {
    what: 'ten entries of 8 MB',
    zip: () => writeZip(Array.from({ length: 10 }, (_, n) => entryOfMaxSize(n))),
    phase: 'complete',
  },
];

let product: UploadProduct;
const temporary = temporaryFolder();
beforeAll(async () => {
  product = await startUploadProduct({ envOf: () => ({ TMPDIR: temporary.path }) });
}, 120_000);
afterAll(async () => {
  await product.close();
  temporary.remove();
});

const imported = async ({ what, zip, phase }: Kind): Promise<void> => {
  const jobId = await product.upload(zip());
  await eventually(
    async () => expect([what, (await product.statusOf(jobId)).phase]).toEqual([what, phase]),
    60_000,
  );
};

/** The most memory that a process has ever had. */
const peakOf = (name: ProcessName): number => {
  const status = readFileSync(`/proc/${product.processId(name)}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1]) * 1_024;
};

// Elsewhere the peak of another process's memory cannot be read.
const onLinux = process.platform === 'linux' ? it : it.skip;

describe('uploads of bad archives', () => {
  onLinux(
    'need less than 100 MB of memory, end neither process, and leave no file outside the database',
    async () => {
      await imported(goodKind);
      const names: readonly ProcessName[] = ['api', 'projector'];
      const ids = names.map((name) => product.processId(name));
      const before = names.map(peakOf);
      for (const kind of kinds) await imported(kind);
      await imported(goodKind);
      const growth = names.map((name, at) => peakOf(name) - (before[at] ?? 0));
      process.stdout.write(
        `${names.join(', ')}: + ${growth.map((bytes) => Math.round(bytes / mebibyte)).join(', ')} MB\n`,
      );
      expect(names.map((name) => product.processId(name))).toEqual(ids);
      for (const bytes of growth) expect(bytes).toBeLessThan(maxGrowth);
      // The file goes when its import has ended.
      await eventually(() => expect(readdirSync(temporary.path)).toEqual([]));
      expect(existsSync('/tmp/evil.json')).toBe(false);
    },
    240_000,
  );
});
