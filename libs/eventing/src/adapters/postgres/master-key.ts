import { DomainError } from '@tapedeck/kernel';
import { createHmac } from 'node:crypto';
import type { Pool } from 'pg';
import { isMasterKeyOf, type KeyRow } from './personal-data-keys.ts';

/** Tells master keys apart without revealing them. */
const fingerprintOf = (masterKey: Uint8Array): string =>
  createHmac('sha256', masterKey).update('master key of personal data').digest('hex').slice(0, 32);

const wrongKey = (): DomainError =>
  new DomainError(
    'unavailable',
    'PERSONAL_DATA_KEY_WRONG',
    'PERSONAL_DATA_KEY is not the key that encrypted the personal data in this database, which would be unreadable: start with the former key. `npm start` keeps it in secrets.json in the data folder; restore that file from its backup.',
  );

const storedFingerprint = async (pool: Pool): Promise<string | undefined> => {
  const { rows } = await pool.query<{ fingerprint: string }>('select fingerprint from tape_master_key');
  return rows[0]?.fingerprint;
};

/**
 * Checks that the master key is the one with which the keys of personal data were encrypted. The first key that comes is
 * remembered by its fingerprint.
 *
 * @throws DomainError PERSONAL_DATA_KEY_WRONG, which says what to do.
 */
export const assertMasterKey = async (pool: Pool, masterKey: Uint8Array): Promise<void> => {
  const fingerprint = fingerprintOf(masterKey);
  if ((await storedFingerprint(pool)) === undefined) {
    // Keys that were stored before fingerprints were.
    const { rows } = await pool.query<KeyRow>(
      'select subject, key_id, wrapped from personal_data_keys where wrapped is not null limit 1',
    );
    if (rows.some((row) => !isMasterKeyOf(masterKey, row))) throw wrongKey();
    await pool.query('insert into tape_master_key (fingerprint) values ($1) on conflict do nothing', [
      fingerprint,
    ]);
  }
  if ((await storedFingerprint(pool)) !== fingerprint) throw wrongKey();
};
