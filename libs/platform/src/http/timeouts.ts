import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isUpload } from './upload-route.ts';

/** How long a connection may take for what it sends. It is closed then, with status 408 where that is possible. */
export type HttpTimeouts = Readonly<{
  /** From the connection, or the first byte of a further request, to the end of the headers. */
  headersMs: number;
  /** From the end of the headers to the end of the body. */
  requestMs: number;
  /** The same for the form of an upload, of which at least `minUploadBytes` must arrive in each sixth of this time. */
  uploadMs: number;
  minUploadBytes: number;
  /** Between two requests: longer than that of usual proxies (60 s), which otherwise send into a closed connection. */
  keepAliveMs: number;
  /** How often connections are checked. */
  checkIntervalMs: number;
}>;

export const defaultTimeouts: HttpTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  uploadMs: 60_000,
  minUploadBytes: 65_536,
  keepAliveMs: 75_000,
  checkIntervalMs: 1_000,
};

/** Of all requests, from their first byte: Node.js knows no other limit. */
export const maxRequestMs = ({ headersMs, requestMs, uploadMs }: HttpTimeouts): number =>
  headersMs + Math.max(requestMs, uploadMs);

const refuseSlow = ({ raw, server }: FastifyRequest): void => {
  if (raw.complete) return;
  server.server.emit(
    'clientError',
    Object.assign(new Error('The request is too slow.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
    raw.socket,
  );
};

const windowsPerUpload = 6;

/** Checks at intervals whether the client sends; while its bytes wait to be read, it does all that it can. */
const watchUpload = (request: FastifyRequest, { uploadMs, minUploadBytes }: HttpTimeouts): NodeJS.Timeout => {
  const { raw } = request;
  const { socket } = raw;
  let windows = 0;
  let before = socket.bytesRead;
  return setInterval(() => {
    windows++;
    const isSlow = socket.bytesRead - before < minUploadBytes && raw.readableLength === 0;
    before = socket.bytesRead;
    if (isSlow || windows >= windowsPerUpload) refuseSlow(request);
  }, uploadMs / windowsPerUpload);
};

const hasBody = ({ headers }: FastifyRequest): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/** Refuses bodies that arrive too slowly. To be registered before any route. */
export const registerBodyTimeouts = (fastify: FastifyInstance, timeouts: HttpTimeouts): void => {
  fastify.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request)) {
      const timer = isUpload(request)
        ? watchUpload(request, timeouts)
        : setTimeout(() => refuseSlow(request), timeouts.requestMs);
      request.raw.once('close', () => clearTimeout(timer));
    }
    done();
  });
};
