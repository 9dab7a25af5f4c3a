import { open } from 'node:fs/promises';
import type { Databases } from '@tapedeck/platform/databases';
import type { Rejection } from '../domain/strategy-import.ts';

/** A file to import, and the lease under which this process does so. */
export type ClaimedUpload = Readonly<{
  import_id: string;
  name: string;
  actor_id: string;
  actor_kind: string;
  lease_token: string;
  failures: number;
}>;

const claimSql = `
  update strategy_uploads set lease_token = lease_token + 1, lease_until = now() + $1 * interval '1 ms'
  where import_id = (
    select import_id from strategy_uploads
    where sha256 is not null and (lease_until is null or lease_until < now())
    order by started_at limit 1 for update skip locked)
  returning import_id, name, actor_id, actor_kind, lease_token, failures`;

/** The oldest file that no process imports, if there is one. */
export const claimUpload = async (
  pool: Databases['tapedeck'],
  leaseMs: number,
): Promise<ClaimedUpload | undefined> => (await pool.query<ClaimedUpload>(claimSql, [leaseMs])).rows[0];

type Lease = Pick<ClaimedUpload, 'import_id' | 'lease_token'>;

const keyOf = ({ import_id, lease_token }: Lease): readonly string[] => [import_id, lease_token];

/** False when another process has the lease. */
export const renewLease = async (
  pool: Databases['tapedeck'],
  lease: Lease,
  leaseMs: number,
): Promise<boolean> => {
  const { rowCount } = await pool.query(
    `update strategy_uploads set lease_until = now() + $3 * interval '1 ms' where import_id = $1 and lease_token = $2`,
    [...keyOf(lease), leaseMs],
  );
  return rowCount === 1;
};

export const releaseLease = async (
  pool: Databases['tapedeck'],
  lease: Lease,
  failures: number,
): Promise<void> => {
  await pool.query(
    `update strategy_uploads set lease_until = null, failures = $3 where import_id = $1 and lease_token = $2`,
    [...keyOf(lease), failures],
  );
};

export type UploadProgress = Readonly<{
  processed: number;
  total: number;
  current: string;
  /** The last ones, newest first. */
  errors: readonly Rejection[];
  errorCount: number;
}>;

// An import that is repeated counts from zero again; what is shown never goes down.
const progressSql = `
  update strategy_uploads set phase = 'processing', processed = $3, total = greatest(total, $4), current = $5,
    errors = $6, error_count = $7
  where import_id = $1 and lease_token = $2 and processed <= $3`;

export const saveProgress = async (
  pool: Databases['tapedeck'],
  lease: Lease,
  progress: UploadProgress,
): Promise<void> => {
  const { processed, total, current, errors, errorCount } = progress;
  await pool.query(progressSql, [
    ...keyOf(lease),
    processed,
    total,
    current,
    JSON.stringify(errors),
    errorCount,
  ]);
};

export const removeUpload = async (pool: Databases['tapedeck'], lease: Lease): Promise<void> => {
  await pool.query('delete from strategy_uploads where import_id = $1 and lease_token = $2', [
    ...keyOf(lease),
  ]);
};

/** Removes files whose upload was interrupted by the end of the process that received it. */
export const removeAbandoned = async (pool: Databases['tapedeck'], afterMs: number): Promise<void> => {
  await pool.query(
    `delete from strategy_uploads where sha256 is null and started_at < now() - $1 * interval '1 ms'`,
    [afterMs],
  );
};

/** Writes the file to the disk, one piece at a time. */
export const writeUpload = async (
  pool: Databases['tapedeck'],
  { import_id }: Lease,
  path: string,
): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    for (let number = 0; ; number++) {
      const { rows } = await pool.query<{ bytes: Buffer }>(
        'select bytes from strategy_upload_chunks where import_id = $1 and number = $2',
        [import_id, number],
      );
      if (!rows[0]) return;
      await file.write(rows[0].bytes);
    }
  } finally {
    await file.close();
  }
};
