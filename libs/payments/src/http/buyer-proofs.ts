import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import cookies from '@fastify/cookie';
import { DomainError, foldEmail } from '@tapedeck/kernel';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PaymentsApiConfig } from '../settings.ts';

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

export const isSameHash = (a: string, b: string): boolean => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
};

export const notVerified = (): DomainError =>
  new DomainError(
    'forbidden',
    'EMAIL_NOT_VERIFIED',
    'Your sign-in provider has not verified your e-mail address: verify it there, then sign in again.',
  );

/**
 * The account's verified address: purchases are bound to it, so it must belong to the person.
 * @throws DomainError EMAIL_NOT_VERIFIED
 */
export const assertVerified = (email: string | null): string => {
  if (email !== null) return email;
  throw notVerified();
};

/**
 * The secret by which a browser shows that it has begun a purchase. Scripts cannot read it, and no address contains it:
 * knowing the id of a session is not enough to claim its purchase.
 */
export type ClaimCookie = Readonly<{
  /** The hash of the browser's secret; undefined when it has none. */
  hashOf: (request: FastifyRequest) => string | undefined;
  /** The hash of the browser's secret, which it gets now if it has none. */
  ensure: (request: FastifyRequest, reply: FastifyReply) => string;
}>;

const maxAgeSeconds = 60 * 86_400;
const secretPattern = /^[\w-]{43}$/;

const newClaimSecret = (): string => randomBytes(32).toString('base64url');
const claimSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');

export const claimCookie = ({
  publicOrigin,
  PORT,
}: Pick<PaymentsApiConfig, 'publicOrigin' | 'PORT'>): ClaimCookie => {
  const secure = publicOrigin.startsWith('https:');
  // Browsers share cookies between ports.
  const name = secure ? '__Host-tapedeck-claim' : `tapedeck-claim-${PORT}`;
  const secretOf = ({ headers }: FastifyRequest): string | undefined => {
    const secret = cookies.fastifyCookie.parse(headers.cookie ?? '')[name];
    return secret !== undefined && secretPattern.test(secret) ? secret : undefined;
  };
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure, maxAge: maxAgeSeconds } as const;
  return {
    hashOf: (request) => {
      const secret = secretOf(request);
      return secret === undefined ? undefined : claimSecretHash(secret);
    },
    ensure: (request, reply) => {
      const secret = secretOf(request) ?? newClaimSecret();
      void reply.header('set-cookie', cookies.fastifyCookie.serialize(name, secret, options));
      return claimSecretHash(secret);
    },
  };
};
