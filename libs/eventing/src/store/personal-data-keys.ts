import { DomainError } from '@tapedeck/kernel';
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** The key of one account. */
export type DataKey = Readonly<{ id: string; secret: Uint8Array }>;

/** The key of an account, or that it was deleted. */
export type KeyState = DataKey | 'forgotten';

/**
 * The keys of personal fields, one per account. To forget an account is to delete its key: what was encrypted with it
 * can no longer be read in any copy of the tape. A key that is missing without having been deleted was lost.
 */
export type PersonalDataKeys = Readonly<{
  /**
   * The account's key for writing; created on first use, and never a second time.
   * @throws DomainError ACCOUNT_FORGOTTEN when the key was deleted, PERSONAL_KEY_MISSING when it was lost.
   */
  keyFor: (subject: string) => Promise<DataKey>;
  /** The keys for reading, in one round trip; the map has no entry for an account that never had one or lost it. */
  keysOf: (subjects: readonly string[]) => Promise<ReadonlyMap<string, KeyState>>;
  /** Deletes the key for good. Other processes may use a cached copy for up to a minute. */
  forget: (subject: string) => Promise<void>;
}>;

export const accountForgotten = (): DomainError =>
  new DomainError(
    'conflict',
    'ACCOUNT_FORGOTTEN',
    'This account was deleted: nothing personal can be written for it.',
  );

/** Why an event cannot be read or written, although its account was not forgotten. */
export const missingKey = (subject: string): string =>
  `the personal data key of ${subject} is missing or not the one that was written with: the table of keys and the tape do not belong together. Restore both from one backup.`;

export const personalKeyMissing = (subject: string): DomainError =>
  new DomainError(
    'unavailable',
    'PERSONAL_KEY_MISSING',
    `Nothing personal can be written: ${missingKey(subject)}`,
  );

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** Encrypts by AES-256-GCM: the result is initialisation vector, tag and ciphertext. `open` needs the same context. */
export const seal = (secret: Uint8Array, plain: Uint8Array, context: string): Buffer => {
  const iv = randomBytes(ivLength);
  const cipher = createCipheriv(algorithm, secret, iv).setAAD(Buffer.from(context));
  const ciphertext = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
};

/** @throws Error when the secret, the context or the content differs from what was sealed. */
export const open = (secret: Uint8Array, sealed: Uint8Array, context: string): Buffer => {
  const iv = sealed.subarray(0, ivLength);
  const tag = sealed.subarray(ivLength, ivLength + tagLength);
  const decipher = createDecipheriv(algorithm, secret, iv, { authTagLength: tagLength });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  return Buffer.concat([decipher.update(sealed.subarray(ivLength + tagLength)), decipher.final()]);
};
