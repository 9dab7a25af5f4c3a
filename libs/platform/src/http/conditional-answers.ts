import type { FastifyInstance } from 'fastify';

const withoutWeakness = (etag: string): string => etag.trim().replace(/^W\//, '');

/** Whether `If-None-Match` names the ETag; weak and strong ones are compared alike (RFC 9110, 13.1.2). */
const isKnown = (ifNoneMatch: string, etag: string): boolean =>
  ifNoneMatch.trim() === '*' || ifNoneMatch.split(',').map(withoutWeakness).includes(withoutWeakness(etag));

/** Answers a GET without a body (304) when the client has the answer already, for every answer that has an ETag. */
export const registerConditionalAnswers = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', (request, reply, payload, done) => {
    const etag = reply.getHeader('etag');
    const known = request.headers['if-none-match'];
    const isConditional = request.method === 'GET' && reply.statusCode === 200 && known !== undefined;
    // Files are streams, whose plugin has compared already.
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isConditional || !isWhole || typeof etag !== 'string' || !isKnown(known, etag))
      return done(null, payload);
    void reply.status(304).removeHeader('content-length');
    done(null, '');
  });
};
