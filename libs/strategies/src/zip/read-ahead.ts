import type { ZipArchive } from './zip-archive.ts';
import type { ZipEntry } from './zip-entries.ts';

/** An entry's content, or why there is none; nothing for an entry that is not to be read. */
export type ReadEntry = Readonly<{ entry: ZipEntry; content?: Buffer; error?: unknown }>;

const depth = 4;

/** Reads the entries in the order given, a few ahead of whoever works on them. */
export async function* readAhead(zip: ZipArchive, entries: readonly ZipEntry[]): AsyncGenerator<ReadEntry> {
  const read = async (entry: ZipEntry): Promise<ReadEntry> => {
    if (entry.verdict.kind !== 'read') return { entry };
    return zip.read(entry).then(
      (content) => ({ entry, content }),
      (error: unknown) => ({ entry, error }),
    );
  };
  const under = entries.slice(0, depth).map(read);
  for (let next = depth; under.length > 0; next++) {
    const first = under.shift();
    if (first) yield await first;
    const entry = entries[next];
    if (entry) under.push(read(entry));
  }
}
