import { systemClock, type Clock } from '@tapedeck/kernel';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import {
  accountForgotten,
  open,
  seal,
  personalKeyMissing,
  type DataKey,
  type KeyState,
  type PersonalDataKeys,
} from '../../store/personal-data-keys.ts';
import { combined } from '../../store/combined.ts';

export type PostgresPersonalDataKeysOptions = Readonly<{
  /** Connections to the database of the tape. */
  pool: Pool;
  /** 32 bytes; encrypts every account's key. Without it no personal field can be read. */
  masterKey: Uint8Array;
  clock?: Clock;
}>;

/** Without `wrapped` the account was forgotten. */
export type KeyRow = Readonly<{ subject: string; key_id: string; wrapped: Buffer | null }>;

type RowsBySubject = ReadonlyMap<string, KeyRow>;

const bySubject = (rows: readonly KeyRow[]): RowsBySubject => new Map(rows.map((row) => [row.subject, row]));

/**
 * Both in one statement, so that an account has a key from the moment on at which it is known to have had one. In the
 * order of the subjects, so that two processes cannot deadlock.
 */
const createKeys = `
  with wanted as (
    select * from unnest($1::text[], $2::uuid[], $3::bytea[]) as wanted (subject, key_id, wrapped)
  ), first as (
    insert into tape_personal_subjects (subject) select distinct subject from wanted order by subject
    on conflict do nothing returning subject
  )
  insert into personal_data_keys (subject, key_id, wrapped)
  select subject, key_id, wrapped from first join wanted using (subject) order by subject
  on conflict do nothing returning subject, key_id, wrapped`;

const maxCachedKeys = 10_000;
/** After this time a cached key is read again, so that no process keeps using a deleted one. */
const cacheForMs = 60_000;

const wrapContext = (subject: string, id: string): string => `personal data key ${id} of ${subject}`;

const unwrap = (masterKey: Uint8Array, { subject, key_id, wrapped }: KeyRow): KeyState => {
  if (!wrapped) return 'forgotten';
  try {
    return { id: key_id, secret: open(masterKey, wrapped, wrapContext(subject, key_id)) };
  } catch {
    throw new Error(
      `The personal data key of ${subject} cannot be decrypted: it was created with another master key.`,
    );
  }
};

/** Whether the key of the row was encrypted with this master key. */
export const isMasterKeyOf = (masterKey: Uint8Array, row: KeyRow): boolean => {
  try {
    unwrap(masterKey, row);
    return true;
  } catch {
    return false;
  }
};

type KeyCache = Readonly<{
  get: (subject: string) => DataKey | undefined;
  set: (subject: string, key: DataKey) => void;
  delete: (subject: string) => void;
}>;

const createKeyCache = (clock: Clock): KeyCache => {
  const entries = new Map<string, Readonly<{ key: DataKey; validUntil: number }>>();
  return {
    get: (subject) => {
      const entry = entries.get(subject);
      return entry && entry.validUntil > clock.now() ? entry.key : undefined;
    },
    set: (subject, key) => {
      const oldest = entries.keys().next();
      if (entries.size >= maxCachedKeys && !oldest.done) entries.delete(oldest.value);
      entries.delete(subject);
      entries.set(subject, { key, validUntil: clock.now() + cacheForMs });
    },
    delete: (subject) => entries.delete(subject),
  };
};

/**
 * Keys in the table `personal_data_keys`, each encrypted with the master key.
 *
 * @example
 * const keys = createPersonalDataKeys({ pool, masterKey: Buffer.from(config.masterKey, 'base64') });
 */
export const createPersonalDataKeys = ({
  pool,
  masterKey,
  clock = systemClock,
}: PostgresPersonalDataKeysOptions): PersonalDataKeys => {
  if (masterKey.length !== 32) throw new Error('The master key of personal data must be 32 bytes.');
  const cache = createKeyCache(clock);

  const load = combined(async (subjects: readonly string[]): Promise<RowsBySubject> => {
    const { rows } = await pool.query<KeyRow>({
      name: 'personal_data_keys',
      text: 'select subject, key_id, wrapped from personal_data_keys where subject = any($1)',
      values: [[...new Set(subjects)]],
    });
    return bySubject(rows);
  });

  const insert = combined(async (subjects: readonly string[]): Promise<RowsBySubject> => {
    const rows = [...new Set(subjects)].map((subject) => {
      const id = randomUUID();
      return { subject, id, wrapped: seal(masterKey, randomBytes(32), wrapContext(subject, id)) };
    });
    const { rows: inserted } = await pool.query<KeyRow>({
      name: 'personal_data_keys_create',
      text: createKeys,
      values: [
        rows.map(({ subject }) => subject),
        rows.map(({ id }) => id),
        rows.map(({ wrapped }) => wrapped),
      ],
    });
    return bySubject(inserted);
  });

  const stateIn = (rows: RowsBySubject, subject: string): KeyState | undefined => {
    const row = rows.get(subject);
    const key = row && unwrap(masterKey, row);
    if (key && key !== 'forgotten') cache.set(subject, key);
    return key;
  };

  const keysOf = async (subjects: readonly string[]): Promise<ReadonlyMap<string, KeyState>> => {
    const found = new Map<string, KeyState>();
    const unknown: string[] = [];
    for (const subject of new Set(subjects)) {
      const key = cache.get(subject);
      if (key) found.set(subject, key);
      else unknown.push(subject);
    }
    if (unknown.length === 0) return found;
    const rows = await load(unknown);
    for (const subject of unknown) {
      const key = stateIn(rows, subject);
      if (key) found.set(subject, key);
    }
    return found;
  };

  const stateOf = async (subject: string): Promise<KeyState | undefined> =>
    (await keysOf([subject])).get(subject);

  return {
    keysOf,
    keyFor: async (subject) => {
      const known = (await stateOf(subject)) ?? stateIn(await insert([subject]), subject);
      // Several processes may try to insert a key; the first one wins, so read what is stored.
      const key = known ?? (await stateOf(subject));
      if (!key) throw personalKeyMissing(subject);
      if (key === 'forgotten') throw accountForgotten();
      return key;
    },
    forget: async (subject) => {
      cache.delete(subject);
      await pool.query(
        `insert into personal_data_keys (subject, key_id, wrapped, forgotten_at) values ($1, $2, null, now())
         on conflict (subject) do update set wrapped = null, forgotten_at = now() where personal_data_keys.wrapped is not null`,
        [subject, randomUUID()],
      );
      cache.delete(subject);
    },
  };
};
