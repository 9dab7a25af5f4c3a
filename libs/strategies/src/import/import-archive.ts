import { DomainError, messageOf } from '@tapedeck/kernel';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { ImportSource } from '../domain/strategy-import.ts';
import { archiveItems, type ArchiveItems } from './archive-items.ts';
import { importItems, type ImportOptions } from './import-records.ts';
import type { ImportReport } from './import-report.ts';

const sourceOf = async (path: string, name: string): Promise<ImportSource> => {
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

/**
 * Imports the strategies of a ZIP file. Bad entries are named in the report and the others are imported;
 * an archive that is rejected as a whole gives a report with a `failure`.
 *
 * @throws DomainError FILE_NOT_READABLE, IMPORT_ID_REUSED, IMPORT_ENDED, TAPE_UNAVAILABLE
 */
export const importArchive = async (
  options: ImportOptions &
    Readonly<{
      path: string;
      /** The file's name for people; that of the path by default. */
      name?: string;
      /** Unpacks it; in this process by default. */
      unpack?: (path: string) => ArchiveItems;
    }>,
): Promise<ImportReport> => {
  const { path, name = basename(path), unpack = archiveItems } = options;
  return importItems({ source: await sourceOf(path, name), ...unpack(path) }, options);
};
