import { DomainError } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import type { FastifyRequest } from 'fastify';

/** Where the browser is: one of our own origins, whatever the request says of itself. */
export const browserOrigin = (
  request: FastifyRequest,
  { origins, publicOrigin }: Pick<ApiConfig, 'origins' | 'publicOrigin'>,
): string => {
  if (publicOrigin.startsWith('https:') && request.protocol !== 'https') {
    // Browsers would be sent a cookie that is never set, and everybody would sign in for ever.
    throw new DomainError(
      'unavailable',
      'PROXY_NOT_TRUSTED',
      'Signing in needs https: the request came over http although PUBLIC_ORIGIN is https. Set TRUSTED_PROXIES to the number of proxies in front.',
    );
  }
  const asked = `${request.protocol}://${request.host}`;
  return origins.includes(asked) ? asked : publicOrigin;
};
