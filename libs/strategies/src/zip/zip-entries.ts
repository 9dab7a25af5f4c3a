import type { DirectoryEntry } from './zip-directory.ts';
import { isClutter, isDirectoryName, readName } from './zip-entry-names.ts';
import { inMebibytes, type ZipLimits } from './zip-limits.ts';
import type { LocalHeader } from './zip-local-headers.ts';

export type Refusal = Readonly<{ code: string; reason: string }>;

/** An entry to read, to report, or to pass over in silence. */
export type ZipEntry = Readonly<{
  index: number;
  name: string;
  size: number;
  crc32: number;
  verdict:
    Readonly<{ kind: 'read' }> | Readonly<{ kind: 'ignored' }> | ({ readonly kind: 'refused' } & Refusal);
}>;

const stored = 0;
const deflated = 8;
const sizesFollow = 1 << 3;
/** Of a writer that left room for more than 4 GB; the table of contents has the size all the same. */
const sizeIsElsewhere = 0xffffffff;
/** Encrypted, patched, strongly encrypted, or with a masked directory. */
const notPlain = (1 << 0) | (1 << 5) | (1 << 6) | (1 << 13);
const unixType = 0o170000;
const plainTypes = new Set([0, 0o100000, 0o040000]);

const refused = (code: string, reason: string): ZipEntry['verdict'] => ({
  kind: 'refused',
  code,
  reason: `${reason}: it was left out.`,
});

const refusedForm = ({ flags, method, externalAttributes }: DirectoryEntry): ZipEntry['verdict'] | null => {
  if ((flags & notPlain) !== 0) return refused('ENTRY_ENCRYPTED', 'It is encrypted');
  if (method !== stored && method !== deflated) {
    return refused(
      'ENTRY_METHOD',
      `It is packed by method ${method}, only stored and deflated entries can be read`,
    );
  }
  if (!plainTypes.has((externalAttributes >>> 16) & unixType)) {
    return refused('ENTRY_NOT_A_FILE', 'It is a link or a device, not a file');
  }
  return null;
};

const refusedSize = (
  entry: DirectoryEntry,
  local: LocalHeader,
  limits: ZipLimits,
): ZipEntry['verdict'] | null => {
  const { size, compressedSize, flags, method } = entry;
  const sizeIsLocal = (flags & sizesFollow) === 0 && local.size !== sizeIsElsewhere;
  const lies =
    (sizeIsLocal && (local.size !== size || local.compressedSize !== compressedSize)) ||
    (method === stored && size !== compressedSize) ||
    (method === deflated && compressedSize === 0 && size > 0);
  if (lies) return refused('ENTRY_SIZE_WRONG', 'Its sizes contradict each other');
  if (size > limits.entryBytes) {
    return refused('ENTRY_TOO_LARGE', `It is larger than ${inMebibytes(limits.entryBytes)}`);
  }
  if (size > limits.ratioFromBytes && size > compressedSize * limits.ratio) {
    return refused('ENTRY_RATIO', `It would grow more than ${limits.ratio} times when unpacked`);
  }
  return null;
};

const verdictOf = (
  entry: DirectoryEntry,
  local: LocalHeader,
  name: string,
  limits: ZipLimits,
): ZipEntry['verdict'] => {
  const refusal = refusedForm(entry);
  if (refusal) return refusal;
  const isDirectory = isDirectoryName(name);
  if (isDirectory && entry.size > 0)
    return refused('ENTRY_NOT_A_FILE', 'It is a folder with content of its own');
  if (isDirectory || isClutter(name)) return { kind: 'ignored' };
  return refusedSize(entry, local, limits) ?? { kind: 'read' };
};

/** Of several entries with the same name the last one counts, as with strategies (D23). */
const refuseDuplicates = (entries: readonly ZipEntry[]): readonly ZipEntry[] => {
  const last = new Map(entries.map(({ name, index }) => [name, index]));
  return entries.map((entry) => {
    if (entry.verdict.kind !== 'read' || last.get(entry.name) === entry.index) return entry;
    return { ...entry, verdict: refused('ENTRY_DUPLICATE_NAME', 'A later entry has the same name') };
  });
};

/** What is to be done with each entry, in the order of the archive. */
export const judgeEntries = (
  entries: readonly DirectoryEntry[],
  headers: readonly LocalHeader[],
  limits: ZipLimits,
): readonly ZipEntry[] =>
  refuseDuplicates(
    entries.map((entry, index) => {
      const { name, problem } = readName(entry.rawName, limits.nameBytes);
      const local = headers[index] ?? { compressedSize: 0, size: 0, extraBytes: 0, end: 0 };
      const verdict =
        problem === null ? verdictOf(entry, local, name, limits) : refused('ENTRY_NAME', problem);
      return { index, name, size: entry.size, crc32: entry.crc32, verdict };
    }),
  );
