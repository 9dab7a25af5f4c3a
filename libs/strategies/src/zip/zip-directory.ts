import { DomainError } from '@tapedeck/kernel';
import { readRange, type ZipBytes } from './zip-bytes.ts';
import { inMebibytes, type ZipLimits } from './zip-limits.ts';

/** One entry as the central directory states it; nothing of it is believed yet. */
export type DirectoryEntry = Readonly<{
  rawName: Buffer;
  flags: number;
  method: number;
  crc32: number;
  compressedSize: number;
  size: number;
  externalAttributes: number;
  offset: number;
}>;

export type Directory = Readonly<{
  entries: readonly DirectoryEntry[];
  /** Where the central directory begins; entries lie before it. */
  start: number;
  /** Where the record lies that ends the file. */
  endRecord: number;
}>;

const endSignature = 0x06054b50;
const zip64LocatorSignature = 0x07064b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryHeaderBytes = 46;
const zip64LocatorBytes = 20;
const longestComment = 0xffff;

export const brokenZip = (what: string): DomainError =>
  new DomainError(
    'invalid',
    'ZIP_BROKEN',
    `The ZIP file is broken: ${what}. Pack it anew and send it again.`,
  );

const noZip64 = (): DomainError =>
  new DomainError(
    'unsupported',
    'ZIP64_UNSUPPORTED',
    'The ZIP file uses the ZIP64 form for very large archives: pack the strategies into smaller ones.',
  );

/** The end record, whose comment must reach exactly to the end of the file. */
const endRecordIn = (tail: Buffer): number => {
  const found: number[] = [];
  for (let at = tail.length - endBytes; at >= 0; at--) {
    const fits =
      tail.readUInt32LE(at) === endSignature && at + endBytes + tail.readUInt16LE(at + 20) === tail.length;
    if (fits) found.push(at);
  }
  if (found.length > 1) {
    throw new DomainError(
      'invalid',
      'ZIP_AMBIGUOUS',
      'The ZIP file has two ends, one of them inside its comment: pack it anew without a comment.',
    );
  }
  if (found[0] === undefined) {
    throw new DomainError(
      'invalid',
      'NOT_A_ZIP',
      'This is not a ZIP file, or its end is cut off: send a whole .zip file.',
    );
  }
  return found[0];
};

type End = Readonly<{ count: number; start: number; length: number; endRecord: number }>;

const endOf = async (bytes: ZipBytes): Promise<End> => {
  const tailBytes = Math.min(bytes.size, endBytes + longestComment + zip64LocatorBytes);
  const tail = await readRange(bytes, bytes.size - tailBytes, tailBytes);
  const at = endRecordIn(tail);
  const locator = at - zip64LocatorBytes;
  if (locator >= 0 && tail.readUInt32LE(locator) === zip64LocatorSignature) throw noZip64();
  const [disk, startDisk] = [tail.readUInt16LE(at + 4), tail.readUInt16LE(at + 6)];
  const [countHere, count] = [tail.readUInt16LE(at + 8), tail.readUInt16LE(at + 10)];
  const [length, start] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  if (count === 0xffff || length === 0xffffffff || start === 0xffffffff) throw noZip64();
  if (disk !== 0 || startDisk !== 0 || countHere !== count) {
    throw new DomainError(
      'unsupported',
      'ZIP_MULTI_DISK',
      'The ZIP file is one part of several: join the parts into one archive first.',
    );
  }
  const endRecord = bytes.size - tailBytes + at;
  if (start + length !== endRecord) throw brokenZip('its table of contents is not where it should be');
  return { count, start, length, endRecord };
};

const entryAt = (table: Buffer, at: number): Readonly<{ entry: DirectoryEntry; next: number }> => {
  const cut = brokenZip('its table of contents is cut off');
  if (at + entryHeaderBytes > table.length || table.readUInt32LE(at) !== entrySignature) throw cut;
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
    table.readUInt16LE(at + field),
  ) as [number, number, number];
  const next = at + entryHeaderBytes + nameBytes + extraBytes + commentBytes;
  if (next > table.length) throw cut;
  const entry = {
    flags: table.readUInt16LE(at + 8),
    method: table.readUInt16LE(at + 10),
    crc32: table.readUInt32LE(at + 16),
    compressedSize: table.readUInt32LE(at + 20),
    size: table.readUInt32LE(at + 24),
    externalAttributes: table.readUInt32LE(at + 38),
    offset: table.readUInt32LE(at + 42),
    rawName: table.subarray(at + entryHeaderBytes, at + entryHeaderBytes + nameBytes),
  };
  if ([entry.compressedSize, entry.size, entry.offset].includes(0xffffffff)) throw noZip64();
  if (table.readUInt16LE(at + 34) !== 0) throw brokenZip('one of its entries is said to be in another file');
  return { entry, next };
};

const entriesOf = (table: Buffer, count: number): readonly DirectoryEntry[] => {
  const entries: DirectoryEntry[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    const { entry, next } = entryAt(table, at);
    entries.push(entry);
    at = next;
  }
  if (at !== table.length) throw brokenZip('its table of contents holds more than it says');
  return entries;
};

/**
 * The table of contents alone, before anything is inflated.
 * @throws DomainError that refuses the ZIP as a whole
 */
export const readDirectory = async (bytes: ZipBytes, limits: ZipLimits): Promise<Directory> => {
  const tooLarge = (what: string): DomainError => new DomainError('too-large', 'ZIP_TOO_LARGE', what);
  if (bytes.size > limits.archiveBytes) {
    throw tooLarge(`The ZIP file is larger than ${inMebibytes(limits.archiveBytes)}: split it.`);
  }
  const { count, start, length, endRecord } = await endOf(bytes);
  if (count > limits.entries) {
    throw tooLarge(`The ZIP file has ${count} entries, more than ${limits.entries}: split it.`);
  }
  if (length > limits.directoryBytes)
    throw tooLarge('The table of contents of the ZIP file is too large: split it.');
  const entries = entriesOf(await readRange(bytes, start, length), count);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > limits.totalBytes) {
    throw tooLarge(
      `Unpacked, the ZIP file would be ${inMebibytes(total)}, more than ${inMebibytes(limits.totalBytes)}: split it.`,
    );
  }
  return { entries, start, endRecord };
};
