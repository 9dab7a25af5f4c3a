import { DomainError } from '@tapedeck/kernel';
import { brokenZip, inMebibytes, readRange, zipLimits, zipTooLarge, type ZipFile } from './zip-file.ts';

/** One entry as the central directory describes it; nothing is checked yet. */
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
  /** Offset of the central directory; all entries lie before it. */
  start: number;
  /** Offset of the end record. */
  endRecord: number;
}>;

const endSignature = 0x06054b50;
const zip64LocatorSignature = 0x07064b50;
const entrySignature = 0x02014b50;
const endBytes = 22;
const entryHeaderBytes = 46;
const zip64LocatorBytes = 20;
const maxCommentBytes = 0xffff;

const noZip64 = (): DomainError =>
  new DomainError(
    'unsupported',
    'ZIP64_UNSUPPORTED',
    'The ZIP file uses the ZIP64 format for very large archives: pack the strategies into smaller ones.',
  );

/** The offset of the only end record whose comment reaches exactly to the end of the file. */
const findEndRecord = (tail: Buffer): number => {
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
      'The ZIP file has two end records, one of them inside its comment: pack it again without a comment.',
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

type EndRecord = Readonly<{ count: number; start: number; length: number; endRecord: number }>;

const readEndRecord = async (file: ZipFile): Promise<EndRecord> => {
  const tailBytes = Math.min(file.size, endBytes + maxCommentBytes + zip64LocatorBytes);
  const tail = await readRange(file, file.size - tailBytes, tailBytes);
  const at = findEndRecord(tail);
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
  const endRecord = file.size - tailBytes + at;
  if (start + length !== endRecord) throw brokenZip('its table of contents is not where the end record says');
  return { count, start, length, endRecord };
};

const entryAt = (table: Buffer, at: number): Readonly<{ entry: DirectoryEntry; next: number }> => {
  const cutOff = (): DomainError => brokenZip('its table of contents is cut off');
  if (at + entryHeaderBytes > table.length || table.readUInt32LE(at) !== entrySignature) throw cutOff();
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) =>
    table.readUInt16LE(at + field),
  ) as [number, number, number];
  const next = at + entryHeaderBytes + nameBytes + extraBytes + commentBytes;
  if (next > table.length) throw cutOff();
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
  if (table.readUInt16LE(at + 34) !== 0) throw brokenZip('one of its entries is in another file');
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
  if (at !== table.length) throw brokenZip('its table of contents has more entries than it says');
  return entries;
};

/**
 * Reads and checks the central directory, before anything is inflated.
 * @throws DomainError that rejects the archive as a whole
 */
export const readDirectory = async (file: ZipFile): Promise<Directory> => {
  if (file.size > zipLimits.maxArchiveBytes) {
    throw zipTooLarge(`The ZIP file is larger than ${inMebibytes(zipLimits.maxArchiveBytes)}`);
  }
  const { count, start, length, endRecord } = await readEndRecord(file);
  if (count > zipLimits.maxEntries) {
    throw zipTooLarge(`The ZIP file has ${count} entries, more than ${zipLimits.maxEntries}`);
  }
  if (length > zipLimits.maxDirectoryBytes) {
    throw zipTooLarge('The table of contents of the ZIP file is too large');
  }
  const entries = entriesOf(await readRange(file, start, length), count);
  const total = entries.reduce((sum, { size }) => sum + size, 0);
  if (total > zipLimits.maxTotalBytes) {
    throw zipTooLarge(
      `Unpacked, the ZIP file would be ${inMebibytes(total)}, more than ${inMebibytes(zipLimits.maxTotalBytes)}`,
    );
  }
  return { entries, start, endRecord };
};

/** The header before an entry's data; sizes are 0 where they follow the data (flag bit 3). */
export type LocalHeader = Readonly<{
  compressedSize: number;
  size: number;
  extraBytes: number;
  /** Offset of the end of its data. */
  end: number;
}>;

const localSignature = 0x04034b50;
const localHeaderBytes = 30;
const maxConcurrentReads = 64;

const readLocalHeader = async (file: ZipFile, entry: DirectoryEntry, start: number): Promise<LocalHeader> => {
  const { offset, rawName } = entry;
  if (offset + localHeaderBytes + rawName.length > start)
    throw brokenZip('an entry lies outside of the file');
  const header = await readRange(file, offset, localHeaderBytes + rawName.length);
  if (header.readUInt32LE(0) !== localSignature) throw brokenZip('an entry is not where it should be');
  const [nameBytes, extraBytes] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const agrees =
    header.readUInt16LE(6) === entry.flags &&
    header.readUInt16LE(8) === entry.method &&
    nameBytes === rawName.length &&
    header.subarray(localHeaderBytes).equals(rawName);
  if (!agrees) {
    throw new DomainError(
      'invalid',
      'ZIP_HEADERS_DISAGREE',
      'The ZIP file describes the same entry in two different ways: pack it again.',
    );
  }
  return {
    compressedSize: header.readUInt32LE(18),
    size: header.readUInt32LE(22),
    extraBytes,
    end: offset + localHeaderBytes + nameBytes + extraBytes + entry.compressedSize,
  };
};

const rejectOverlap = (
  entries: readonly DirectoryEntry[],
  headers: readonly LocalHeader[],
  start: number,
): void => {
  const ranges = entries
    .map(({ offset }, index) => ({ offset, end: headers[index]?.end ?? offset }))
    .toSorted((a, b) => a.offset - b.offset);
  let freeFrom = 0;
  for (const { offset, end } of ranges) {
    if (offset < freeFrom) {
      throw new DomainError(
        'invalid',
        'ZIP_OVERLAP',
        'Entries of the ZIP file share the same bytes, as only harmful archives do: pack it again.',
      );
    }
    freeFrom = end;
  }
  if (freeFrom > start) throw brokenZip('an entry reaches into the table of contents');
};

/**
 * Reads the header before each entry and compares it with the central directory.
 * @throws DomainError that rejects the archive as a whole
 */
export const readLocalHeaders = async (
  file: ZipFile,
  { entries, start }: Directory,
): Promise<readonly LocalHeader[]> => {
  const headers: LocalHeader[] = [];
  for (let at = 0; at < entries.length; at += maxConcurrentReads) {
    const some = entries.slice(at, at + maxConcurrentReads);
    headers.push(...(await Promise.all(some.map((entry) => readLocalHeader(file, entry, start)))));
  }
  rejectOverlap(entries, headers, start);
  return headers;
};
