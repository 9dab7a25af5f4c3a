import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown, ViteDevServer } from 'vite';

/** What `src/landing/render.tsx` exports. */
type Renderer = Readonly<{
  renderLanding: (values: unknown) => Readonly<{ head: string; body: string }>;
}>;

const hasSession = ({ headers }: IncomingMessage): boolean =>
  /(?:^|;\s*)tapedeck-\d+=/.test(headers.cookie ?? '');

/** As the API does it (`libs/platform/src/site/`): visitors get the landing page at `/`, everybody at `/landing`. */
const isLanding = (request: IncomingMessage): boolean => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  return (
    pathname === '/landing' || (pathname === '/' && !searchParams.has('section') && !hasSession(request))
  );
};

const renderInDevelopment = async (
  server: ViteDevServer,
  request: IncomingMessage,
  apiOrigin: string,
): Promise<string> => {
  const template = await readFile(join(server.config.root, 'landing.html'), 'utf8');
  const html = await server.transformIndexHtml('/landing.html', template);
  const answer = await fetch(`${apiOrigin}/api/config`);
  const { renderLanding } = (await server.ssrLoadModule('/src/landing/render.tsx')) as Renderer;
  const { head, body } = renderLanding({
    publicOrigin: `http://${request.headers.host}`,
    hasSession: hasSession(request),
    config: await answer.json(),
  });
  return html.replace('<!--landing-head-->', () => head).replace('<!--landing-body-->', () => body);
};

/** Serves the landing page in development, rendered again for each request. */
export const landingInDevelopment = (apiOrigin: string): Plugin => ({
  name: 'landing-in-development',
  configureServer: (server) => {
    server.middlewares.use((request, response, next) => {
      if (!isLanding(request)) return next();
      renderInDevelopment(server, request, apiOrigin).then(
        (html) => response.setHeader('content-type', 'text/html').end(html),
        next,
      );
    });
  },
});

/** Of a file of the bundle, which a document names by its address. */
const sourceOf = (bundle: Rolldown.OutputBundle | undefined, address: string): string => {
  const file = bundle?.[address.slice(1)];
  if (file?.type !== 'asset') throw new Error(`The bundle has no ${address}.`);
  return typeof file.source === 'string' ? file.source : new TextDecoder().decode(file.source);
};

/**
 * Puts the style sheet and the script that sets the theme into the landing page: it is painted from one answer. The server
 * allows both by their hashes (`libs/platform/src/site/landing.ts`).
 */
export const landingInOneFile = (): Plugin => ({
  name: 'landing-in-one-file',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: async (html, { path, bundle, filename }) => {
      if (path !== '/landing.html') return html;
      const theme = await readFile(join(dirname(filename), 'public', 'theme.js'), 'utf8');
      return html
        .replace('<script src="/theme.js"></script>', () => `<script>${theme}</script>`)
        .replace(
          /<link rel="stylesheet"[^>]* href="([^"]+)">/,
          (_link, address: string) => `<style>${sourceOf(bundle, address)}</style>`,
        );
    },
  },
});

const maxGzippedBytes = 100 * 1_024;
/** Each is larger than all that the landing page does with it. */
const forbidden = /node_modules\/(?:zod|@reduxjs|react-redux|react-router|react-router-dom)\//;

/** The chunks of an entry, those that it loads later too. */
const chunksOf = (
  bundle: Rolldown.OutputBundle,
  fileName: string,
  found = new Set<string>(),
): Set<string> => {
  const chunk = bundle[fileName];
  if (chunk?.type !== 'chunk' || found.has(fileName)) return found;
  found.add(fileName);
  for (const next of [...chunk.imports, ...chunk.dynamicImports]) chunksOf(bundle, next, found);
  return found;
};

/** Fails the build when the scripts of the landing page, with all that they load later, become too large. */
export const landingBudget = (): Plugin => ({
  name: 'landing-budget',
  applyToEnvironment: ({ name }) => name === 'client',
  generateBundle(_options, bundle) {
    const entry = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'landing');
    if (!entry) throw new Error('There is no entry "landing".');
    const chunks = [...chunksOf(bundle, entry.fileName)].flatMap((name) => {
      const file = bundle[name];
      return file?.type === 'chunk' ? [file] : [];
    });
    const banned = chunks.flatMap(({ moduleIds }) => moduleIds.filter((id) => forbidden.test(id)));
    if (banned.length > 0) throw new Error(`The landing page loads ${banned.join(', ')}.`);
    const bytes = chunks.reduce((all, { code }) => all + gzipSync(code).length, 0);
    this.info(`scripts of the landing page: ${(bytes / 1_024).toFixed(1)} KB with gzip`);
    if (bytes > maxGzippedBytes)
      throw new Error(
        `The scripts of the landing page have ${bytes} bytes with gzip, more than ${maxGzippedBytes}.`,
      );
  },
});
