import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Provider } from 'oidc-provider';
import { accountOf, emailOf } from './accounts.ts';
import { messagePage, signInPage } from './pages.ts';
import { signInPath, type Accounts } from './provider.ts';
import { stylesheet } from './stylesheet.ts';

type SignIn = FastifyRequest<{ Params: { uid: string }; Body: URLSearchParams | null }>;

const notAnAddress = 'That is not an e-mail address: choose an account below, or enter another address.';

const fromElsewhere = 'The form was sent by another site: start again from Tapedeck.';

/** Browsers send one of these headers with every form; a program may send neither. */
const isFromOwnPage = ({ headers, host }: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
};

const showPage = (reply: FastifyReply, status: number, page: string): FastifyReply =>
  reply.status(status).type('text/html; charset=utf-8').send(page);

/** The sign-in page; skipped when the client sends a `login_hint`. */
export const registerSignInRoutes = async (
  app: FastifyInstance,
  provider: Provider,
  accounts: Accounts,
): Promise<void> => {
  const finish = async (request: SignIn, reply: FastifyReply, email: string): Promise<FastifyReply> => {
    const account = accountOf(email);
    accounts.set(account.sub, account);
    const login = { accountId: account.sub };
    const next = await provider.interactionResult(request.raw, reply.raw, { login });
    return reply.redirect(next, 303);
  };
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4_096 },
      async (_request: FastifyRequest, body: string | Buffer) => new URLSearchParams(String(body)),
    );
    // Without the cookie of a pending sign-in the provider refuses the request with a status below 500.
    scope.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      const status = error.statusCode ?? 500;
      const text = status < 500 ? 'This sign-in has ended: start again from Tapedeck.' : error.message;
      return showPage(reply, status, messagePage('That did not work', text));
    });
    scope.get<{ Params: { uid: string }; Body: null }>(`${signInPath}/:uid`, async (request, reply) => {
      const { params } = await provider.interactionDetails(request.raw, reply.raw);
      const hint = params['login_hint'];
      if (typeof hint !== 'string') return showPage(reply, 200, signInPage(request.url));
      const email = emailOf(hint);
      if (email === undefined) return showPage(reply, 400, signInPage(request.url, notAnAddress));
      return finish(request, reply, email);
    });
    scope.post<{ Params: { uid: string }; Body: URLSearchParams | null }>(
      `${signInPath}/:uid`,
      async (request, reply) => {
        if (!isFromOwnPage(request))
          return showPage(reply, 403, messagePage('That did not work', fromElsewhere));
        const email = emailOf(request.body?.get('email') ?? '');
        if (email === undefined) return showPage(reply, 400, signInPage(request.url, notAnAddress));
        return finish(request, reply, email);
      },
    );
  });
  // Browsers request an icon with every page and log an error when there is none.
  app.get('/favicon.ico', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').status(204).send(),
  );
  app.get('/sandbox.css', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=3600').type('text/css; charset=utf-8').send(stylesheet),
  );
};
