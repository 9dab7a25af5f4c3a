import { DomainError } from '@tapedeck/kernel';
import { signedOut } from '@tapedeck/platform/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { safeMethods } from './cross-site-guard.ts';

const otherAccount = (): DomainError =>
  new DomainError(
    'conflict',
    'OTHER_ACCOUNT',
    'This browser is now signed in to another account, and nothing was changed: reload the page.',
  );

const refusal = ({ method, headers, account }: FastifyRequest): DomainError | undefined => {
  const expected = headers['expected-account'];
  if (expected === undefined || safeMethods.has(method)) return undefined;
  if (!account) return signedOut();
  return account.id === expected ? undefined : otherAccount();
};

/**
 * A page sends the account that it shows with what it changes (`Expected-Account`). All pages of a browser have one session: after
 * a sign-in in another page, the change would be made for another person. To be registered after the session look-up.
 */
export const registerExpectedAccount = (fastify: FastifyInstance): void => {
  fastify.addHook('onRequest', (request, _reply, done) => done(refusal(request)));
};
