import { DomainError } from '@tapedeck/kernel';
import { isUpload, isWebhook } from '@tapedeck/platform/http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Of requests that change nothing. */
export const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const isSameOrigin = ({ headers }: FastifyRequest, origins: ReadonlySet<string>): boolean => {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return headers.origin !== undefined && origins.has(headers.origin);
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

const isJson = ({ headers }: FastifyRequest): boolean =>
  /^application\/json *(;|$)/i.test(headers['content-type'] ?? '');

const refusal = (request: FastifyRequest, origins: ReadonlySet<string>): DomainError | undefined => {
  if (safeMethods.has(request.method) || isWebhook(request)) return undefined;
  if (!isSameOrigin(request, origins)) {
    return new DomainError(
      'forbidden',
      'CROSS_SITE_REQUEST',
      'Changes are accepted from our own pages only: send Sec-Fetch-Site: same-origin, or our Origin.',
    );
  }
  if (!hasBody(request) || isJson(request) || isUpload(request)) return undefined;
  return new DomainError(
    'unsupported',
    'BODY_NOT_JSON',
    'A body must be JSON: send it with Content-Type: application/json.',
  );
};

/** Refuses requests that change something when they come from another site or have a body that is not JSON, nor a form where one is expected. */
export const registerCrossSiteGuard = (
  fastify: FastifyInstance,
  options: { readonly origins: readonly string[] },
): void => {
  const origins = new Set(options.origins);
  fastify.addHook('onRequest', (request, _reply, done) => done(refusal(request, origins)));
};
