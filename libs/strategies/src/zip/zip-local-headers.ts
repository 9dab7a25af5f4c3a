import { DomainError } from '@tapedeck/kernel';
import { readRange, type ZipBytes } from './zip-bytes.ts';
import { brokenZip, type Directory, type DirectoryEntry } from './zip-directory.ts';

/** What stands before an entry's data; sizes are 0 where they follow the data (flag bit 3). */
export type LocalHeader = Readonly<{
  compressedSize: number;
  size: number;
  extraBytes: number;
  /** Where its data ends. */
  end: number;
}>;

const localSignature = 0x04034b50;
const localHeaderBytes = 30;
const readsAtOnce = 64;

const readLocalHeader = async (
  bytes: ZipBytes,
  entry: DirectoryEntry,
  start: number,
): Promise<LocalHeader> => {
  const { offset, rawName } = entry;
  if (offset + localHeaderBytes + rawName.length > start)
    throw brokenZip('an entry lies outside of the file');
  const header = await readRange(bytes, offset, localHeaderBytes + rawName.length);
  if (header.readUInt32LE(0) !== localSignature) throw brokenZip('an entry is not where it should be');
  const [nameBytes, extraBytes] = [header.readUInt16LE(26), header.readUInt16LE(28)];
  const same =
    header.readUInt16LE(6) === entry.flags &&
    header.readUInt16LE(8) === entry.method &&
    nameBytes === rawName.length &&
    header.subarray(localHeaderBytes).equals(rawName);
  if (!same) {
    throw new DomainError(
      'invalid',
      'ZIP_HEADERS_DISAGREE',
      'The ZIP file calls the same entry by two names or ways of packing: pack it anew.',
    );
  }
  return {
    compressedSize: header.readUInt32LE(18),
    size: header.readUInt32LE(22),
    extraBytes,
    end: offset + localHeaderBytes + nameBytes + extraBytes + entry.compressedSize,
  };
};

const refuseOverlap = (
  entries: readonly DirectoryEntry[],
  headers: readonly LocalHeader[],
  start: number,
): void => {
  const ranges = entries
    .map(({ offset }, index) => ({ offset, end: headers[index]?.end ?? offset }))
    .toSorted((a, b) => a.offset - b.offset);
  let free = 0;
  for (const { offset, end } of ranges) {
    if (offset < free) {
      throw new DomainError(
        'invalid',
        'ZIP_OVERLAP',
        'Entries of the ZIP file share the same bytes, as only harmful archives do: pack it anew.',
      );
    }
    free = end;
  }
  if (free > start) throw brokenZip('an entry reaches into the table of contents');
};

/**
 * Compares what stands before each entry with the table of contents.
 * @throws DomainError that refuses the ZIP as a whole
 */
export const readLocalHeaders = async (
  bytes: ZipBytes,
  { entries, start }: Directory,
): Promise<readonly LocalHeader[]> => {
  const headers: LocalHeader[] = [];
  for (let at = 0; at < entries.length; at += readsAtOnce) {
    const some = entries.slice(at, at + readsAtOnce);
    headers.push(...(await Promise.all(some.map((entry) => readLocalHeader(bytes, entry, start)))));
  }
  refuseOverlap(entries, headers, start);
  return headers;
};
