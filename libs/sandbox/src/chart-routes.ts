import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { chartPicture, hasPicture } from './charts.ts';

/** The picture host: `GET /charts/{urlId}.svg`. */
export const registerCharts = (app: FastifyInstance): void => {
  app.get<{ Params: { file: string } }>('/charts/:file', (request, reply) => {
    const urlId = /^([A-Za-z0-9]{8})\.svg$/.exec(request.params.file)?.[1];
    if (urlId === undefined || !hasPicture(urlId)) {
      return reply.status(404).header('cache-control', 'public, max-age=300').send();
    }
    const picture = chartPicture(urlId);
    const etag = `"${createHash('sha256').update(picture).digest('base64url').slice(0, 22)}"`;
    void reply
      .header('cache-control', 'public, max-age=86400')
      .header('cross-origin-resource-policy', 'cross-origin')
      .header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.status(304).send();
    return reply.type('image/svg+xml').send(picture);
  });
};
