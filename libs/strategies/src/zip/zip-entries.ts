import type { DirectoryEntry, LocalHeader } from './zip-directory.ts';
import { printable } from '../printable.ts';
import { decodeName } from './entry-name.ts';
import { inMebibytes, zipLimits } from './zip-file.ts';

/** What the reader of an archive does with an entry; a rejected one is reported, an ignored one is not. */
export type EntryAction =
  | Readonly<{ kind: 'read' }>
  | Readonly<{ kind: 'ignore' }>
  | Readonly<{ kind: 'reject'; code: string; reason: string }>;

export type ZipEntry = Readonly<{
  index: number;
  name: string;
  size: number;
  crc32: number;
  action: EntryAction;
}>;

const unsafeCharacter = /[\p{C}\p{Zl}\p{Zp}\\]/u;
const drive = /^[A-Za-z]:/;

type EntryName = Readonly<{ name: string; problem: string | null }>;

const maxShownLength = 120;

const nameProblem = (name: string, bytes: number): string | null => {
  if (name === '') return 'It has no name';
  if (bytes > zipLimits.maxNameBytes) return `Its name is longer than ${zipLimits.maxNameBytes} bytes`;
  if (unsafeCharacter.test(name)) return 'Its name has a control character, an invisible one or a backslash';
  if (name.startsWith('/') || drive.test(name)) return 'Its name is an absolute path';
  if (name.split('/').includes('..')) return 'Its name leads out of the archive';
  return null;
};

/** An entry's name in NFC and its problem, if any; names never reach the disk, but are shown and compared. */
const readName = (raw: Buffer): EntryName => {
  const name = decodeName(raw).normalize('NFC');
  const problem = nameProblem(name, raw.length);
  return { name: problem === null ? name : printable(name.slice(0, maxShownLength)), problem };
};

const systemNames = new Set(['__macosx', 'thumbs.db', 'desktop.ini', 'ehthumbs.db', '$recycle.bin']);

/** A file that operating systems leave in archives: a resource fork, thumbnails, a hidden file. */
const isSystemFile = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') || systemNames.has(part.toLowerCase()));

const isDirectoryName = (name: string): boolean => name.endsWith('/');

const stored = 0;
const deflated = 8;
const sizesFollow = 1 << 3;
/** Written where the local header reserves space for ZIP64 sizes; the central directory has the real size. */
const sizeIsElsewhere = 0xffffffff;
/** Encrypted, patched, strongly encrypted, or with a masked directory. */
const unsupportedFlags = (1 << 0) | (1 << 5) | (1 << 6) | (1 << 13);
const unixType = 0o170000;
const allowedTypes = new Set([0, 0o100000, 0o040000]);

const rejected = (code: string, reason: string): EntryAction => ({
  kind: 'reject',
  code,
  reason: `${reason}: it was left out.`,
});

const rejectedForm = ({ flags, method, externalAttributes }: DirectoryEntry): EntryAction | null => {
  if ((flags & unsupportedFlags) !== 0) return rejected('ENTRY_ENCRYPTED', 'It is encrypted');
  if (method !== stored && method !== deflated) {
    return rejected(
      'ENTRY_METHOD',
      `It is packed by method ${method}, only stored and deflated entries can be read`,
    );
  }
  if (!allowedTypes.has((externalAttributes >>> 16) & unixType)) {
    return rejected('ENTRY_NOT_A_FILE', 'It is a link or a device, not a file');
  }
  return null;
};

const rejectedSize = (entry: DirectoryEntry, local: LocalHeader): EntryAction | null => {
  const { size, compressedSize, flags, method } = entry;
  const sizeIsLocal = (flags & sizesFollow) === 0 && local.size !== sizeIsElsewhere;
  const sizesDisagree =
    (sizeIsLocal && (local.size !== size || local.compressedSize !== compressedSize)) ||
    (method === stored && size !== compressedSize) ||
    (method === deflated && compressedSize === 0 && size > 0);
  if (sizesDisagree) return rejected('ENTRY_SIZE_WRONG', 'Its sizes contradict each other');
  if (size > zipLimits.maxEntryBytes) {
    return rejected('ENTRY_TOO_LARGE', `It is larger than ${inMebibytes(zipLimits.maxEntryBytes)}`);
  }
  if (size > zipLimits.minRatioBytes && size > compressedSize * zipLimits.maxRatio) {
    return rejected('ENTRY_RATIO', `It would grow more than ${zipLimits.maxRatio} times when unpacked`);
  }
  return null;
};

const actionFor = (entry: DirectoryEntry, local: LocalHeader, name: string): EntryAction => {
  const badForm = rejectedForm(entry);
  if (badForm) return badForm;
  const isDirectory = isDirectoryName(name);
  if (isDirectory && entry.size > 0)
    return rejected('ENTRY_NOT_A_FILE', 'It is a folder with content of its own');
  if (isDirectory || isSystemFile(name)) return { kind: 'ignore' };
  return rejectedSize(entry, local) ?? { kind: 'read' };
};

/** Of several entries with the same name the last one counts, as with strategies (docs/product-decisions.md#import). */
const rejectDuplicates = (entries: readonly ZipEntry[]): readonly ZipEntry[] => {
  const last = new Map(entries.map(({ name, index }) => [name, index]));
  return entries.map((entry) => {
    if (entry.action.kind !== 'read' || last.get(entry.name) === entry.index) return entry;
    return { ...entry, action: rejected('ENTRY_DUPLICATE_NAME', 'A later entry has the same name') };
  });
};

/** Checks each entry and says what to do with it, in the order of the archive. */
export const checkEntries = (
  entries: readonly DirectoryEntry[],
  headers: readonly LocalHeader[],
): readonly ZipEntry[] =>
  rejectDuplicates(
    entries.map((entry, index) => {
      const { name, problem } = readName(entry.rawName);
      const local = headers[index] ?? { compressedSize: 0, size: 0, extraBytes: 0, end: 0 };
      const action = problem === null ? actionFor(entry, local, name) : rejected('ENTRY_NAME', problem);
      return { index, name, size: entry.size, crc32: entry.crc32, action };
    }),
  );
