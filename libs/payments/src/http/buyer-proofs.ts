import { createHash, createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { foldEmail } from '@tapedeck/kernel';

/** For Nest: the `KeyedHashes`. */
export const KEYED_HASHES = Symbol('KeyedHashes');

/** Hashes that cannot be computed without the key: addresses and codes could be guessed otherwise. */
export type KeyedHashes = Readonly<{
  /** The same for all spellings of an address. */
  ofEmail: (email: string) => string;
  ofCode: (claimId: string, code: string) => string;
}>;

/** @param masterKey that of the personal data, so that a restored tape keeps its hashes */
export const keyedHashes = (masterKey: Uint8Array): KeyedHashes => {
  const key = Buffer.from(hkdfSync('sha256', masterKey, '', 'tapedeck hashes of payments', 32));
  const hash = (kind: string, text: string): string =>
    createHmac('sha256', key).update(`${kind} ${text}`).digest('base64url');
  return {
    ofEmail: (email) => hash('email', foldEmail(email)),
    ofCode: (claimId, code) => hash(`code ${claimId}`, code),
  };
};

/** What the buyer's browser keeps in a cookie, to show later that it has begun the purchase. */
export const newClaimSecret = (): string => randomBytes(32).toString('base64url');
export const claimSecretHash = (secret: string): string =>
  createHash('sha256').update(secret).digest('base64url');

export const isSameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

/** Six digits (docs/product-decisions.md#mail). */
export const newClaimCode = (): string => String(randomInt(1_000_000)).padStart(6, '0');
