import { createHash } from 'node:crypto';
import type { Actor } from '@tapedeck/eventing';
import { DomainError, newId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { importId, type ImportId } from '../domain/ids.ts';

export type UploadedFile = Readonly<{ name: string; content: AsyncIterable<Buffer> }>;
export type StoredUpload = Readonly<{
  importId: ImportId;
  source: Readonly<{ kind: 'archive'; name: string; sha256: string; size: number }>;
  /** Whether the same file was waiting already: nothing new was stored. */
  isRepeated: boolean;
}>;

const chunkBytes = 512 * 1024;
const maxNameLength = 200;

const fileEmpty = (): DomainError =>
  new DomainError('invalid', 'UPLOAD_EMPTY', 'The file is empty: choose a ZIP file with strategies.');

const diskFull = (): DomainError =>
  new DomainError(
    'unavailable',
    'UPLOAD_DISK_FULL',
    'The file cannot be stored, because the disk of the database is full: free space on it, then send the file again.',
  );

/** Its last part, without characters that a screen would obey. */
export const shownName = (name: string): string =>
  (name.split(/[/\\]/).at(-1) ?? '').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '').slice(0, maxNameLength) ||
  'strategies.zip';

/** The bytes in pieces of one size, so that small packets of a slow client do not become rows. */
async function* chunksOf(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const part of content) {
    parts.push(part);
    length += part.length;
    if (length < chunkBytes) continue;
    yield Buffer.concat(parts, length);
    parts = [];
    length = 0;
  }
  if (length > 0) yield Buffer.concat(parts, length);
}

type Arrived = Readonly<{ sha256: string; size: number }>;

const storeChunks = async (
  pool: Databases['tapedeck'],
  id: ImportId,
  content: AsyncIterable<Buffer>,
): Promise<Arrived> => {
  const hash = createHash('sha256');
  let size = 0;
  let number = 0;
  for await (const bytes of chunksOf(content)) {
    hash.update(bytes);
    size += bytes.length;
    await pool.query('insert into strategy_upload_chunks (import_id, number, bytes) values ($1, $2, $3)', [
      id,
      number++,
      bytes,
    ]);
  }
  if (size === 0) throw fileEmpty();
  return { sha256: hash.digest('hex'), size };
};

const completeSql = `
  update strategy_uploads set sha256 = $2, size = $3
  where import_id = $1 and not exists (select from strategy_uploads where sha256 = $2)`;

const sqlStateOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;

/** False when another upload has this content. */
const complete = async (
  pool: Databases['tapedeck'],
  id: ImportId,
  { sha256, size }: Arrived,
): Promise<boolean> => {
  try {
    return (await pool.query(completeSql, [id, sha256, size])).rowCount === 1;
  } catch (error) {
    if (sqlStateOf(error) === '23505') return false;
    throw error;
  }
};

const remove = async (pool: Databases['tapedeck'], id: ImportId): Promise<void> => {
  await pool.query('delete from strategy_uploads where import_id = $1', [id]);
};

const completeOrFindOther = async (
  pool: Databases['tapedeck'],
  id: ImportId,
  arrived: Arrived,
): Promise<StoredUpload> => {
  const sourceNamed = (name: string): StoredUpload['source'] => ({ kind: 'archive', name, ...arrived });
  for (;;) {
    const { rows } = await pool.query<{ import_id: string; name: string; is_own: boolean }>(
      'select import_id, name, import_id = $1 as is_own from strategy_uploads where import_id = $1 or sha256 = $2 order by 3',
      [id, arrived.sha256],
    );
    const [first] = rows;
    if (!first) throw uploadRemoved();
    if (!first.is_own) {
      await remove(pool, id);
      return { importId: importId(first.import_id), source: sourceNamed(first.name), isRepeated: true };
    }
    // The other one may have ended meanwhile, or another one begun.
    if (await complete(pool, id, arrived)) {
      return { importId: id, source: sourceNamed(first.name), isRepeated: false };
    }
  }
};

const uploadRemoved = (): DomainError =>
  new DomainError('unavailable', 'UPLOAD_TOO_SLOW', 'The upload took too long: send the file again.');

/**
 * Stores a file in the database, where every process reaches it, piece by piece: a slow client holds neither memory nor a
 * connection. What was stored of a file that does not arrive is removed.
 *
 * @throws DomainError UPLOAD_EMPTY, UPLOAD_TOO_SLOW, and the errors of the stream
 */
export const storeUpload = async (
  pool: Databases['tapedeck'],
  { name, content }: UploadedFile,
  actor: Actor,
): Promise<StoredUpload> => {
  const id = importId(newId());
  await pool.query(
    'insert into strategy_uploads (import_id, name, actor_id, actor_kind) values ($1, $2, $3, $4)',
    [id, shownName(name), actor.id, actor.kind],
  );
  try {
    return await completeOrFindOther(pool, id, await storeChunks(pool, id, content));
  } catch (error) {
    await remove(pool, id).catch(() => undefined);
    // Of the database.
    throw sqlStateOf(error) === '53100' ? diskFull() : error;
  }
};
