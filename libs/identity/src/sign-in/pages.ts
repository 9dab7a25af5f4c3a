import { createHash } from 'node:crypto';
import type { Problem } from '@tapedeck/platform/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { identityRoutes } from '../contract.ts';

const style = `:root { color-scheme: light dark; }
body { min-height: 90vh; display: grid; place-items: center; margin: 0; padding: 24px 16px;
  background: light-dark(#f6f4f1, #120f0d); color: light-dark(#1f1b17, #eae8e3);
  font: 400 1rem/1.5rem "IBM Plex Sans", system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
main { max-width: 26rem; padding: 24px; border: 1px solid light-dark(#dddad5, #34302c); border-radius: 6px;
  background: light-dark(#fdfcfa, #1a1714); }
h1 { margin: 0 0 8px; font-size: 1.25rem; line-height: 1.75rem; }
p { margin: 0 0 20px; color: light-dark(#56504a, #b3afa8); }
a { color: light-dark(#824f00, #f3b94c); margin-right: 16px; }
button + a { margin-left: 16px; }
button { min-height: 2.75rem; padding: 8px 16px; font: inherit; font-weight: 600; cursor: pointer;
  border: 1px solid light-dark(#b57407, #f8b533); border-radius: 4px; background: light-dark(#f5af26, #f8b533);
  color: #1f1306; }
:focus-visible { outline: 2px solid light-dark(#824f00, #f3b94c); outline-offset: 2px; }`;

/** Without `form-action`: the form for signing out redirects to the provider, whose origin is configured. */
const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)} · Tapedeck</title>
<style>${style}</style>
</head>
<body><main><h1>${escaped(title)}</h1>${body}</main></body>
</html>
`;

export const signOutPage = (): string =>
  page(
    'Sign out?',
    `<p>A link on another site led here. You are still signed in.</p>
<form method="post" action="${identityRoutes.logout}"><button>Sign out</button> <a href="/">Stay signed in</a></form>`,
  );

const failurePage = (title: string, detail: string): string =>
  page(
    title,
    `<p>${escaped(detail)}</p>
<a href="${identityRoutes.login}">Sign in again</a><a href="/">Back to Tapedeck</a>`,
  );

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': contentSecurityPolicy,
  'cache-control': 'no-store',
} as const;

export const sendPage = (reply: FastifyReply, status: number, html: string): void => {
  void reply.status(status).headers(pageHeaders).send(html);
};

const pageRoutes: ReadonlySet<string | undefined> = new Set([
  identityRoutes.login,
  identityRoutes.loginCallback,
  identityRoutes.logout,
]);

const isPageRequest = ({ routeOptions, headers }: FastifyRequest): boolean =>
  pageRoutes.has(routeOptions.url) && (headers.accept ?? '').includes('text/html');

/** Shows the problems of signing in and out as a page when a browser navigates there. */
export const registerProblemPages = (fastify: FastifyInstance): void => {
  fastify.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (typeof payload !== 'string' || !type.startsWith('application/problem+json')) return payload;
    if (!isPageRequest(request)) return payload;
    const { detail } = JSON.parse(payload) as Problem;
    void reply.headers(pageHeaders).removeHeader('content-length');
    return failurePage('That did not work', detail);
  });
};
