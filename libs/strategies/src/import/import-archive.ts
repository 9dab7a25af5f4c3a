import { DomainError, messageOf } from '@tapedeck/kernel';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import type { ImportSource } from '../domain/strategy-import.ts';
import { recordsOfFile, refusedByName, rejected, type Candidate } from '../reading/read-file.ts';
import { readAhead, type ReadEntry } from '../zip/read-ahead.ts';
import { openZip } from '../zip/zip-archive.ts';
import type { ZipEntry } from '../zip/zip-entries.ts';
import { importCandidates, type ImportOptions } from './import-records.ts';
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

const isAboutTheWholeZip = (error: unknown): boolean =>
  !(error instanceof DomainError) || error.kind === 'too-large';

/** What cannot hold records by its name is not even unpacked. */
const refuseByName = (entry: ZipEntry): ZipEntry => {
  const refusal = entry.verdict.kind === 'read' ? refusedByName(entry.name) : null;
  if (!refusal) return entry;
  return { ...entry, verdict: { kind: 'refused', code: refusal.code, reason: refusal.message } };
};

function* candidatesOf({ entry, content, error }: ReadEntry): Generator<Candidate> {
  const { name, verdict } = entry;
  if (verdict.kind === 'refused') {
    yield { kind: 'rejected', entry: name, urlId: null, code: verdict.code, reason: verdict.reason };
  } else if (content) yield* recordsOfFile(name, content);
  else if (isAboutTheWholeZip(error)) throw error;
  else yield rejected(name, error);
}

const emptyZip = (): DomainError =>
  new DomainError(
    'invalid',
    'ZIP_EMPTY',
    'The ZIP file holds no files: put the JSON files of strategies in it.',
  );

/**
 * Takes in the strategies of a ZIP file. Bad entries are named in the report and the others go in;
 * a ZIP that cannot be trusted as a whole gives a report with a `failure`.
 *
 * @throws DomainError FILE_NOT_READABLE, IMPORT_ID_REUSED, IMPORT_ENDED, or that the tape is unavailable
 */
export const importArchive = async (
  options: ImportOptions & Readonly<{ path: string; /** What people call the file. */ fileName?: string }>,
): Promise<ImportReport> => {
  const source = await sourceOf(options.path, options.fileName ?? basename(options.path));
  let filesLeft = 0;
  let seen = 0;

  const candidates = async function* (): AsyncGenerator<Candidate> {
    const zip = await openZip(options.path);
    try {
      const entries = zip.entries.filter(({ verdict }) => verdict.kind !== 'ignored').map(refuseByName);
      if (entries.length === 0) throw emptyZip();
      filesLeft = entries.length;
      // From the last to the first: the first of an id that is seen is the one that counts (D23).
      for await (const read of readAhead(zip, entries.toReversed())) {
        filesLeft--;
        for (const candidate of candidatesOf(read)) {
          seen++;
          yield candidate;
        }
      }
    } finally {
      await zip.close();
    }
  };
  return importCandidates({ source, candidates, total: () => filesLeft + seen }, options);
};
