import { DomainError } from '@tapedeck/kernel';
import { parseFile, rejectedItem, rejectionOfName, type ImportItem } from '../parsing/parse-file.ts';
import { openZip, readAhead, type ReadEntry } from '../zip/zip-archive.ts';
import type { ZipEntry } from '../zip/zip-entries.ts';

/** What an archive contains: of several items with one url_id the first counts. `total` is null while it is unknown. */
export type ArchiveItems = Readonly<{ items: () => AsyncIterable<ImportItem>; total: () => number | null }>;

const isAboutWholeArchive = (error: unknown): boolean =>
  !(error instanceof DomainError) || error.kind === 'too-large';

/** Rejects an entry whose name says that it holds no records, so that it is not unpacked. */
const checkName = (entry: ZipEntry): ZipEntry => {
  const error = entry.action.kind === 'read' ? rejectionOfName(entry.name) : null;
  if (!error) return entry;
  return { ...entry, action: { kind: 'reject', code: error.code, reason: error.message } };
};

function* itemsOf({ entry, content, error }: ReadEntry): Generator<ImportItem> {
  const { name, action } = entry;
  if (action.kind === 'reject') {
    const { code, reason } = action;
    yield { kind: 'rejected', rejection: { entry: name, urlId: null, code, reason } };
  } else if (content) yield* parseFile(name, content);
  else if (isAboutWholeArchive(error)) throw error;
  else yield rejectedItem(name, error);
}

const emptyZip = (): DomainError =>
  new DomainError(
    'invalid',
    'ZIP_EMPTY',
    'The ZIP file holds no files: put the JSON files of strategies in it.',
  );

/** Unpacks an archive in this process. */
export const archiveItems = (path: string): ArchiveItems => {
  let filesLeft = 0;
  let itemsSeen = 0;
  const items = async function* (): AsyncGenerator<ImportItem> {
    const zip = await openZip(path);
    try {
      const entries = zip.entries.filter(({ action }) => action.kind !== 'ignore').map(checkName);
      if (entries.length === 0) throw emptyZip();
      filesLeft = entries.length;
      // Last to first: the first item with a url_id is the one that counts (docs/product-decisions.md#import).
      for await (const read of readAhead(zip, entries.toReversed())) {
        filesLeft--;
        for (const item of itemsOf(read)) {
          itemsSeen++;
          yield item;
        }
      }
    } finally {
      await zip.close();
    }
  };
  return { items, total: () => filesLeft + itemsSeen };
};
