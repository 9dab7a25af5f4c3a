import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { DomainError, messageOf } from '@tapedeck/kernel';

type Rendered = Readonly<{ head: string; body: string }>;
type Render = (values: Readonly<{ publicOrigin: string; hasSession: boolean; config: unknown }>) => Rendered;

export type LandingHtml = Readonly<{
  /** Compressed once, and much better than an answer that is made again each time. */
  bodies: Readonly<Record<'br' | 'gzip' | 'identity', Buffer>>;
  etag: string;
  /** For the content policy: what is allowed beside files, by hash (`'sha256-…'`). */
  inlined: Readonly<{ scripts: readonly string[]; styles: readonly string[] }>;
}>;

export type Landing = Readonly<{
  /** For browsers with and without the cookie of a session. */
  page: (hasSession: boolean) => LandingHtml;
}>;

export type LandingOptions = Readonly<{ root: string; publicOrigin: string; clientConfig: () => unknown }>;

const missing = (error: unknown): never => {
  throw new DomainError(
    'invalid',
    'WEB_CLIENT_MISSING',
    `The landing page cannot be rendered (${messageOf(error)}): run npm run build.`,
  );
};

/** The build of the web client puts it beside its folder: a module without imports. */
const rendererOf = async (root: string): Promise<Render> => {
  const file = join(root, '..', 'render', 'landing.js');
  const module: unknown = await import(pathToFileURL(file).href).catch(missing);
  return (module as Readonly<{ renderLanding: Render }>).renderLanding;
};

/** Weak: the page is compressed in several ways. */
const etagOf = (html: string): string =>
  `W/"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;

/** Of the elements without attributes. */
const hashesOf = (html: string, element: 'script' | 'style'): readonly string[] =>
  html
    .split(`<${element}>`)
    .slice(1)
    .map((rest) => rest.slice(0, rest.indexOf(`</${element}>`)))
    .map((content) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`);

/**
 * The landing page, rendered at its first request: prices, origin and accounts of a sandbox are configuration. After that
 * it is a constant of the process, and needs neither database nor engine.
 */
export const openLanding = async ({ root, publicOrigin, clientConfig }: LandingOptions): Promise<Landing> => {
  const [template, render] = await Promise.all([
    readFile(join(root, 'landing.html'), 'utf8').catch(missing),
    rendererOf(root),
  ]);
  const inlined = { scripts: hashesOf(template, 'script'), styles: hashesOf(template, 'style') };
  const pages = new Map<boolean, LandingHtml>();
  const pageFor = (hasSession: boolean): LandingHtml => {
    const { head, body } = render({ publicOrigin, hasSession, config: clientConfig() });
    // A function, because the text may contain `$`.
    const html = template
      .replace('<!--landing-head-->', () => head)
      .replace('<!--landing-body-->', () => body);
    const identity = Buffer.from(html);
    const bodies = { br: brotliCompressSync(identity), gzip: gzipSync(identity), identity };
    return { bodies, etag: etagOf(html), inlined };
  };
  return {
    page: (hasSession) => {
      const page = pages.get(hasSession) ?? pageFor(hasSession);
      pages.set(hasSession, page);
      return page;
    },
  };
};
