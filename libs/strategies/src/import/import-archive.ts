import { DomainError, messageOf } from '@tapedeck/kernel';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { ImportSource } from '../domain/strategy-import.ts';
import { parseFile, rejectedItem, rejectionOfName, type ImportItem } from '../parsing/parse-file.ts';
import { openZip, readAhead, type ReadEntry } from '../zip/zip-archive.ts';
import type { ZipEntry } from '../zip/zip-entries.ts';
import { importItems, type ImportOptions } from './import-records.ts';
import type { ImportReport } from './import-report.ts';

const sourceOf = async (path: string): Promise<ImportSource> => {
  const name = basename(path);
  const hash = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      size += chunk.length;
    }
  } catch (error) {
    throw new DomainError(
      'invalid',
      'FILE_NOT_READABLE',
      `The file ${name} cannot be read (${messageOf(error)}): check its path and permissions.`,
    );
  }
  return { kind: 'archive', name, sha256: hash.digest('hex'), size };
};

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

/**
 * Imports the strategies of a ZIP file. Bad entries are named in the report and the others are imported;
 * an archive that is rejected as a whole gives a report with a `failure`.
 *
 * @throws DomainError FILE_NOT_READABLE, IMPORT_ID_REUSED, IMPORT_ENDED, TAPE_UNAVAILABLE
 */
export const importArchive = async (
  options: ImportOptions & Readonly<{ path: string }>,
): Promise<ImportReport> => {
  const source = await sourceOf(options.path);
  let filesLeft = 0;
  let itemsSeen = 0;

  const items = async function* (): AsyncGenerator<ImportItem> {
    const zip = await openZip(options.path);
    try {
      const entries = zip.entries.filter(({ action }) => action.kind !== 'ignore').map(checkName);
      if (entries.length === 0) throw emptyZip();
      filesLeft = entries.length;
      // Last to first: the first item with a url_id is the one that counts (D23).
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
  return importItems({ source, items, total: () => filesLeft + itemsSeen }, options);
};
