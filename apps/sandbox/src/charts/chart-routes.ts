import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOnSite } from './random.ts';
import { scriptPage, siteStylesheet } from './script-page.ts';
import type { FindScript } from './script.ts';
import { neutralThumbnail, thumbnailOf } from './thumbnail.ts';

const idPattern = /^[A-Za-z0-9]{8}$/;
const notFoundPage = '<!doctype html><title>Not found</title><h1>This script does not exist</h1>';

/** Short, as the results of a strategy may be revised. */
const caching = 'public, max-age=300';

const sendThumbnail = (request: FastifyRequest, reply: FastifyReply, picture: string): FastifyReply => {
  const etag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`;
  void reply
    .header('cache-control', caching)
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  return reply.type('image/svg+xml').send(picture);
};

/**
 * The charting site: `GET /charts/{urlId}.svg` for thumbnails, `GET /script/{urlId}/` for the page of a strategy. Without
 * `findScript` it knows none: all thumbnails are neutral.
 */
export const registerChartRoutes = (app: FastifyInstance, findScript?: FindScript): void => {
  app.get('/charts/site.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', caching).send(siteStylesheet),
  );
  app.get<{ Params: { file: string } }>('/charts/:file', async (request, reply) => {
    const urlId = request.params.file.endsWith('.svg') ? request.params.file.slice(0, -4) : '';
    const notFound = (): FastifyReply => reply.status(404).header('cache-control', caching).send();
    if (!idPattern.test(urlId) || !isOnSite(urlId)) return notFound();
    if (!findScript) return sendThumbnail(request, reply, neutralThumbnail(urlId));
    const script = await findScript(urlId);
    return script ? sendThumbnail(request, reply, thumbnailOf(script)) : notFound();
  });
  app.get<{ Params: { urlId: string } }>('/script/:urlId/', async (request, reply) => {
    const { urlId } = request.params;
    const script = idPattern.test(urlId) && isOnSite(urlId) ? await findScript?.(urlId) : undefined;
    void reply.type('text/html; charset=utf-8');
    return script ? reply.send(scriptPage(script)) : reply.status(404).send(notFoundPage);
  });
};
