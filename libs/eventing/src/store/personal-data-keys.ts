import { DomainError } from '@tapedeck/kernel';

/** One account's key; the id tells it from any other key the account had. */
export type DataKey = Readonly<{ id: string; secret: Uint8Array }>;

/**
 * The keys of personal fields, one per account. Deleting an account's key is forgetting the account:
 * what was encrypted with it is gone from every copy of the tape.
 */
export type PersonalDataKeys = Readonly<{
  /**
   * The account's key to write with, made on first use.
   * @throws DomainError ACCOUNT_FORGOTTEN when the key was deleted: nothing personal is kept of it any more.
   */
  keyFor: (subject: string) => Promise<DataKey>;
  /** Keys to read with, in one round trip; forgotten and unknown accounts are missing. */
  keysOf: (subjects: readonly string[]) => Promise<ReadonlyMap<string, DataKey>>;
  /** Deletes the key for good. Other processes may read with a copy for up to a minute. */
  forget: (subject: string) => Promise<void>;
}>;

export const accountForgotten = (): DomainError =>
  new DomainError(
    'conflict',
    'ACCOUNT_FORGOTTEN',
    'This account was deleted: nothing personal can be written for it.',
  );
