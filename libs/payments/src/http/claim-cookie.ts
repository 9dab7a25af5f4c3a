import cookies from '@fastify/cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { claimSecretHash, newClaimSecret } from './buyer-proofs.ts';
import type { PaymentsApiConfig } from '../settings.ts';

const maxAgeSeconds = 60 * 86_400;

/**
 * The secret by which a browser shows that it has begun a purchase. Scripts cannot read it, and it is in no address: who
 * knows a session's id can claim nothing.
 */
export type ClaimCookie = Readonly<{
  /** The hash of the browser's secret; undefined when it has none. */
  hashOf: (request: FastifyRequest) => string | undefined;
  /** The hash of the browser's secret, which it gets now if it has none. */
  ensure: (request: FastifyRequest, reply: FastifyReply) => string;
}>;

const secretPattern = /^[\w-]{43}$/;

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
