import type { FastifyRequest } from 'fastify';
import type { Logger } from '../log.ts';

/** Names of OWASP's logging vocabulary, and `authn_logout`. */
export type TrailEvent =
  | 'authn_login_success'
  | 'authn_login_fail'
  | 'authn_logout'
  | 'authn_token_revoked'
  | 'authz_fail'
  | 'excess_rate_limit_exceeded'
  | 'user_deleted';

export type TrailDetails = Readonly<{ account?: string | undefined; code?: string }>;

/**
 * Writes a security event to the log, with the account and the address behind the trusted proxies, and nothing else about
 * the person.
 *
 * @example
 * logTrail(logger, 'authn_logout', request, { account: user.accountId });
 */
export const logTrail = (
  logger: Logger,
  event: TrailEvent,
  request: FastifyRequest,
  { account = request.account?.id, code }: TrailDetails = {},
): void =>
  logger.info(
    {
      event,
      account,
      address: request.ip,
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
      code,
    },
    'security',
  );
