import type { FastifyRequest } from 'fastify';
import type { PaymentsApiConfig } from '../settings.ts';

/**
 * The one of our own origins from which the browser has sent the request, so that it returns to where its cookies are;
 * the public origin when it names another.
 */
export const returnOrigin = (
  { headers }: FastifyRequest,
  { origins, publicOrigin }: Pick<PaymentsApiConfig, 'origins' | 'publicOrigin'>,
): string =>
  headers.origin !== undefined && origins.includes(headers.origin) ? headers.origin : publicOrigin;
