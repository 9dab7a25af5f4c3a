import { access, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import fastifyStatic from '@fastify/static';
import { DomainError } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openLanding, type Landing, type LandingHtml } from './site/landing.ts';
import { robotsText, sitemapXml } from './site/search-engines.ts';

export type SiteOptions = Readonly<{
  /** The folder of the built web client. */
  root: string;
  /** The addresses at which the web client has a screen. */
  screens: readonly string[];
  /** Those in the sitemap. */
  publicScreens: readonly string[];
  publicOrigin: string;
  /** Whether a request has the cookie of a session; the session may be over. */
  hasSession: (request: FastifyRequest) => boolean;
  /** What the browser reads at its start, which the landing page is rendered from. */
  clientConfig: () => unknown;
}>;

/** A pattern for an address with parameters, such as `/strategy/:urlId`. */
const patternOf = (address: string): RegExp => new RegExp(`^${address.replaceAll(/:\w+/g, '[^/]+')}$`);

const conditionalHeaders = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'range'];

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (info) => info.isFile(),
    () => false,
  );

const assertBuilt = async (root: string): Promise<void> => {
  await access(join(root, 'index.html')).catch(() => {
    throw new DomainError(
      'invalid',
      'WEB_CLIENT_MISSING',
      `There is no built web client in ${root}: run npm run build.`,
    );
  });
};

type Address = Readonly<{ path: string; query: URLSearchParams }>;

const addressOf = ({ url }: FastifyRequest): Address => {
  const [path = '/', query = ''] = url.split('?', 2);
  return { path: normalize(decodeURIComponent(path)), query: new URLSearchParams(query) };
};

/** `/?section=…` is an address of the dashboard, whose page sends visitors to sign-in and back. */
const wantsLanding = ({ path, query }: Address, hasSession: boolean): boolean =>
  path === '/landing' || (path === '/' && !hasSession && !query.has('section'));

const policyHeader = 'content-security-policy';

/** The policy of the page, which also allows what is inside of it. */
const policyWith = (policy: string, { scripts, styles }: LandingHtml['inlined']): string =>
  policy
    .replace("script-src 'self'", ["script-src 'self'", ...scripts].join(' '))
    .replace("style-src 'self'", ["style-src 'self'", ...styles].join(' '));

const acceptedEncoding = (header: string): 'br' | 'gzip' | 'identity' => {
  const names = header.split(',').map((each) => each.trim());
  // A weight is the wish of rare clients, which then get the page as it is.
  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? 'identity';
};

const sendLanding = (
  landing: Landing,
  hasSession: boolean,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply => {
  const { bodies, etag, inlined } = landing.page(hasSession);
  const encoding = acceptedEncoding(request.headers['accept-encoding'] ?? '');
  if (encoding !== 'identity') void reply.header('content-encoding', encoding);
  return reply
    .header(policyHeader, policyWith(String(reply.getHeader(policyHeader)), inlined))
    .header('cache-control', 'no-cache')
    .header('vary', 'cookie, accept-encoding')
    .header('etag', etag)
    .type('text/html; charset=utf-8')
    .send(bodies[encoding]);
};

/** The template has no content of its own. */
const hiddenFiles = new Set(['/landing.html']);

/** For programs: what does not exist there is a problem and no page. */
const notPages = ['/api/', '/health/', '/public-objects/'];

/**
 * Serves the built web client: the landing page; files as they are, with a year of caching for hashed names; the one page
 * of the application for every other address (with status 404 when there is no screen for it). Not part of `./http`,
 * because Jest on Node 20 cannot load @fastify/static.
 */
export const registerSite = async (fastify: FastifyInstance, options: SiteOptions): Promise<void> => {
  const { root, screens, publicScreens, publicOrigin, hasSession, clientConfig } = options;
  const patterns = screens.map(patternOf);
  await assertBuilt(root);
  const landing = await openLanding({ root, publicOrigin, clientConfig });
  await fastify.register(fastifyStatic, { root, serve: false, cacheControl: false });
  fastify.get('/robots.txt', (_request, reply) => reply.type('text/plain').send(robotsText(publicOrigin)));
  fastify.get('/sitemap.xml', (_request, reply) =>
    reply.type('application/xml').send(sitemapXml(publicOrigin, publicScreens)),
  );
  fastify.get('/*', async (request: FastifyRequest, reply: FastifyReply) => {
    const address = addressOf(request);
    const { path } = address;
    if (notPages.some((prefix) => path.startsWith(prefix))) {
      throw new DomainError('not-found', 'NO_SUCH_ROUTE', `There is nothing at ${request.method} ${path}.`);
    }
    const isSignedIn = hasSession(request);
    if (wantsLanding(address, isSignedIn)) return sendLanding(landing, isSignedIn, request, reply);
    if (path !== '/' && !hiddenFiles.has(path) && (await isFile(join(root, path)))) {
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
      .header('vary', 'cookie')
      .sendFile('index.html');
  });
};
