import { DomainError } from '@tapedeck/kernel';
import type { FastifyRequest } from 'fastify';
import type { IdentityConfig } from '../settings.ts';

const maxPathLength = 2_000;
const frontPage = '/';
/** Relative paths are resolved against it; a result with another origin leads to another site. */
const baseUrl = 'http://own.invalid';

/** Servers decode a path before they route it; undefined when it cannot be decoded. */
const decodedPath = (pathname: string): string | undefined => {
  try {
    return decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
};

/** The requested path when it is one of our pages, otherwise the front page: never another site or an API route. */
export const safeReturnPath = (requested: unknown): string => {
  if (typeof requested !== 'string' || requested.length > maxPathLength) return frontPage;
  // Browsers drop control characters and read a backslash as a slash.
  if (!/^\/(?![/\\])/.test(requested) || /[\\\u0000-\u001f\u007f]/.test(requested)) return frontPage;
  if (!URL.canParse(requested, baseUrl)) return frontPage;
  const { origin, pathname, search, hash } = new URL(requested, baseUrl);
  // `URL` has resolved the dots: `/.//elsewhere` is `//elsewhere` here.
  const isOtherSite = origin !== baseUrl || pathname.startsWith('//');
  const isApiRoute = (decodedPath(pathname) ?? '/api/').startsWith('/api/');
  return isOtherSite || isApiRoute ? frontPage : `${pathname}${search}${hash}`;
};

/**
 * The one of our own origins that the browser uses; the public origin when the request claims another.
 * @throws DomainError PROXY_NOT_TRUSTED
 */
export const browserOrigin = (
  request: FastifyRequest,
  { origins, publicOrigin }: Pick<IdentityConfig, 'origins' | 'publicOrigin'>,
): string => {
  if (publicOrigin.startsWith('https:') && request.protocol !== 'https') {
    // The session cookie would never be set, and the browser would sign in again and again.
    throw new DomainError(
      'unavailable',
      'PROXY_NOT_TRUSTED',
      'Signing in needs https: PUBLIC_ORIGIN is https, but the request arrived over http. Set TRUSTED_PROXIES to the number of proxies in front.',
    );
  }
  const claimed = `${request.protocol}://${request.host}`;
  return origins.includes(claimed) ? claimed : publicOrigin;
};
