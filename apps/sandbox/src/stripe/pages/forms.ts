import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { StripeFailure } from '../engine/failure.ts';
import { isFromOwnPage } from '../api/own-page.ts';
import { messagePage } from './layout.ts';

export type FormRequest = FastifyRequest<{ Params: { id: string }; Body: URLSearchParams | null }>;

export const showPage = (reply: FastifyReply, status: number, text: string): FastifyReply =>
  reply.status(status).type('text/html; charset=utf-8').send(text);

export const pagePolicy = (origins: readonly string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers apply it to the redirect after a form too.
    `form-action 'self' ${origins.join(' ')}`,
  ].join('; ');

/** A scope for pages: forms are parsed, come from these pages only, and errors are pages. */
export const registerPages = async (
  app: FastifyInstance,
  origins: readonly string[],
  register: (scope: FastifyInstance) => void,
): Promise<void> => {
  const policy = pagePolicy(origins);
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 8_192 },
      async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(String(body)),
    );
    scope.addHook('onRequest', async (request, reply) => {
      void reply.headers({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
      if (request.method === 'POST' && !isFromOwnPage(request))
        return showPage(
          reply,
          403,
          messagePage('That did not work', 'The form was sent by another site: start again from Tapedeck.'),
        );
      return undefined;
    });
    scope.setErrorHandler((error, _request, reply) => {
      const status =
        error instanceof StripeFailure
          ? error.status
          : ((error as { statusCode?: number }).statusCode ?? 500);
      const text = error instanceof Error ? error.message : 'The sandbox has failed.';
      return showPage(reply, status, messagePage('That did not work', text));
    });
    register(scope);
  });
};
