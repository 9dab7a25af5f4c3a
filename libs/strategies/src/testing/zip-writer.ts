import { crc32, deflateRawSync } from 'node:zlib';

/** One entry of a ZIP made for tests; each given field replaces the correct value. */
export type WrittenEntry = Readonly<{
  name: string | Buffer;
  data?: Buffer | string;
  method?: number;
  flags?: number;
  /** The bytes after the local header, instead of the packed data. */
  packed?: Buffer;
  size?: number;
  compressedSize?: number;
  checksum?: number;
  externalAttributes?: number;
  /** The offset of the entry in the central directory. */
  offset?: number;
  /** Different values in the local header. */
  local?: Readonly<{ name?: string; flags?: number; method?: number; size?: number; extra?: Buffer }>;
  /** Sizes and checksum after the data, as a streaming writer leaves them. */
  streamed?: boolean;
}>;

export type WrittenZip = Readonly<{
  comment?: Buffer;
  prefix?: Buffer;
  count?: number;
  countHere?: number;
  directoryStart?: number;
  directoryLength?: number;
  disk?: number;
  /** Bytes between the central directory and the end record. */
  gap?: Buffer;
}>;

type Part = Readonly<{ entry: WrittenEntry; name: Buffer; packed: Buffer; fields: Fields }>;
type Fields = Readonly<{
  flags: number;
  method: number;
  checksum: number;
  compressedSize: number;
  size: number;
}>;

const utf8Name = 1 << 11;
const sizesFollow = 1 << 3;

const partOf = (entry: WrittenEntry): Part => {
  const data = Buffer.from(entry.data ?? '');
  const method = entry.method ?? 8;
  const packed = entry.packed ?? (method === 8 ? deflateRawSync(data) : data);
  const streamed = entry.streamed ? sizesFollow : 0;
  return {
    entry,
    name: Buffer.from(entry.name),
    packed,
    fields: {
      flags: entry.flags ?? utf8Name | streamed,
      method,
      checksum: entry.checksum ?? crc32(data),
      compressedSize: entry.compressedSize ?? packed.length,
      size: entry.size ?? data.length,
    },
  };
};

const writeFields = (header: Buffer, at: number, fields: Fields): void => {
  header.writeUInt16LE(20, at);
  header.writeUInt16LE(fields.flags, at + 2);
  header.writeUInt16LE(fields.method, at + 4);
  header.writeUInt32LE(fields.checksum, at + 10);
  header.writeUInt32LE(fields.compressedSize, at + 14);
  header.writeUInt32LE(fields.size, at + 18);
};

const localPart = ({ entry, name, packed, fields }: Part): Buffer => {
  const { local = {}, streamed = false } = entry;
  const localName = local.name === undefined ? name : Buffer.from(local.name);
  const extra = local.extra ?? Buffer.alloc(0);
  const header = Buffer.alloc(30);
  header.writeUInt32LE(0x04034b50, 0);
  writeFields(header, 4, {
    ...fields,
    ...(streamed ? { checksum: 0, compressedSize: 0, size: 0 } : {}),
    flags: local.flags ?? fields.flags,
    method: local.method ?? fields.method,
    ...(local.size === undefined ? {} : { size: local.size }),
  });
  header.writeUInt16LE(localName.length, 26);
  header.writeUInt16LE(extra.length, 28);
  const descriptor = Buffer.alloc(streamed ? 16 : 0);
  if (streamed) {
    descriptor.writeUInt32LE(0x08074b50, 0);
    descriptor.writeUInt32LE(fields.checksum, 4);
    descriptor.writeUInt32LE(fields.compressedSize, 8);
    descriptor.writeUInt32LE(fields.size, 12);
  }
  return Buffer.concat([header, localName, extra, packed, descriptor]);
};

const directoryPart = ({ entry, name, fields }: Part, offset: number): Buffer => {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(0x02014b50, 0);
  header.writeUInt16LE((3 << 8) | 20, 4);
  writeFields(header, 6, fields);
  header.writeUInt16LE(name.length, 28);
  header.writeUInt32LE(entry.externalAttributes ?? (0o100644 << 16) >>> 0, 38);
  header.writeUInt32LE(entry.offset ?? offset, 42);
  return Buffer.concat([header, name]);
};

const endPart = (zip: WrittenZip, count: number, length: number, start: number): Buffer => {
  const comment = zip.comment ?? Buffer.alloc(0);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip.disk ?? 0, 4);
  end.writeUInt16LE(zip.countHere ?? zip.count ?? count, 8);
  end.writeUInt16LE(zip.count ?? count, 10);
  end.writeUInt32LE(zip.directoryLength ?? length, 12);
  end.writeUInt32LE(zip.directoryStart ?? start, 16);
  end.writeUInt16LE(comment.length, 20);
  return Buffer.concat([end, comment]);
};

/** A ZIP file with these entries, correct except for the given fields. */
export const writeZip = (entries: readonly WrittenEntry[], zip: WrittenZip = {}): Buffer => {
  const parts = entries.map(partOf);
  const pieces: Buffer[] = [zip.prefix ?? Buffer.alloc(0)];
  const offsets: number[] = [];
  let at = pieces[0]?.length ?? 0;
  for (const part of parts) {
    const bytes = localPart(part);
    offsets.push(at);
    pieces.push(bytes);
    at += bytes.length;
  }
  const directory = Buffer.concat(parts.map((part, index) => directoryPart(part, offsets[index] ?? 0)));
  const gap = zip.gap ?? Buffer.alloc(0);
  return Buffer.concat([...pieces, directory, gap, endPart(zip, entries.length, directory.length, at)]);
};
