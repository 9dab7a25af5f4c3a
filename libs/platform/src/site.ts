import { access, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import fastifyStatic from '@fastify/static';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

/** A pattern for an address with parameters, such as `/strategy/:urlId`. */
const patternOf = (address: string): RegExp => new RegExp(`^${address.replaceAll(/:\w+/g, '[^/]+')}$`);

const conditionalHeaders = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'range'];

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isFile(),
    () => false,
  );

/**
 * Serves the built web client: files as they are, with a year of caching for hashed names, and its one page for every
 * other address (with status 404 when the client has no screen for it). Not part of `./http`, because Jest on Node 20
 * cannot load @fastify/static.
 */
export const registerSite = async (
  fastify: FastifyInstance,
  root: string,
  screens: readonly string[],
): Promise<void> => {
  const patterns = screens.map(patternOf);
  await access(join(root, 'index.html')).catch(() => {
    throw new DomainError(
      'invalid',
      'WEB_CLIENT_MISSING',
      `There is no built web client in ${root}: run npm run build.`,
    );
  });
  await fastify.register(fastifyStatic, { root, serve: false, cacheControl: false });
  fastify.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const [address = '/'] = request.url.split('?', 1);
    const path = normalize(decodeURIComponent(address));
    if (path.startsWith('/api/') || path.startsWith('/health/')) {
      throw new DomainError('not-found', 'NO_SUCH_ROUTE', `There is nothing at ${request.method} ${path}.`);
    }
    if (path !== '/' && (await isFile(join(root, path)))) {
      const caching = path.startsWith('/assets/')
        ? 'public, max-age=31536000, immutable'
        : 'public, max-age=3600';
      return reply.header('cache-control', caching).sendFile(path);
    }
    const hasScreen = patterns.some((pattern) => pattern.test(path));
    // The page for an unknown address is sent whole: `304` or a part of it would hide the status.
    if (!hasScreen) for (const name of conditionalHeaders) delete request.raw.headers[name];
    return reply
      .status(hasScreen ? 200 : 404)
      .header('cache-control', 'no-cache')
      .sendFile('index.html');
  });
};
