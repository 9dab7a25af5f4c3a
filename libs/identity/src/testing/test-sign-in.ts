import { createBrowser, startSandbox, type Browser, type Sandbox } from '@tapedeck/sandbox/testing';
import { freePort, temporaryFolder } from '@tapedeck/platform/testing';
import { client, startTestApi, type TestApi } from './test-api.ts';

export type TestProvider = Sandbox & Readonly<{ remove: () => Promise<void> }>;

/** The sandbox's provider for an API on this port. */
export const startProvider = async (apiPort: number, port = 0): Promise<TestProvider> => {
  const folder = temporaryFolder();
  const sandbox = await startSandbox({
    port,
    mailPort: 0,
    clientId: client.id,
    clientSecret: client.secret,
    redirectOrigins: ['localhost', '127.0.0.1'].map((host) => `http://${host}:${apiPort}`),
    dataFolder: folder.path,
    onError: () => undefined,
  });
  const remove = async (): Promise<void> => {
    await sandbox.close();
    folder.remove();
  };
  return { ...sandbox, remove };
};

export type SignInEnvironment = Readonly<{
  api: TestApi;
  provider: TestProvider;
  close: () => Promise<void>;
}>;

/** The API with the sandbox as its provider; `settings` are environment variables. */
export const startSignInEnvironment = async (
  settings: Readonly<Record<string, string>> = {},
): Promise<SignInEnvironment> => {
  const port = await freePort();
  const provider = await startProvider(port);
  const api = await startTestApi(port, provider.issuer, settings);
  const close = async (): Promise<void> => {
    await api.close();
    await provider.remove();
  };
  return { api, provider, close };
};

export const problemOf = async (response: Response): Promise<Record<string, unknown>> => {
  const type = response.headers.get('content-type') ?? '';
  if (!type.includes('application/problem+json')) {
    throw new Error(`Expected a problem, received ${response.status} ${type}.`);
  }
  return (await response.json()) as Record<string, unknown>;
};

export const loginUrl = (origin: string, query: Readonly<Record<string, string>>): string =>
  `${origin}/api/login?${new URLSearchParams(query).toString()}`;

/** Follows the redirects up to the callback; returns its address without opening it. */
export const visitUntilCallback = async (
  browser: Browser,
  origin: string,
  query: Readonly<Record<string, string>>,
): Promise<URL> => {
  const isCallback = (url: URL): boolean => url.pathname === '/api/login/callback';
  return (await browser.visit(loginUrl(origin, query), { until: isCallback })).url;
};

/** Signs in by redirects alone; returns the address that the callback redirects to. */
export const signIn = async (
  browser: Browser,
  origin: string,
  email: string,
  returnTo = '/',
): Promise<string> => {
  const callback = await visitUntilCallback(browser, origin, { login_hint: email, returnTo });
  const answer = await browser.request(callback.href);
  return answer.headers.get('location') ?? `${answer.status} ${await answer.text()}`;
};

export const signedInBrowser = async (origin: string, email: string): Promise<Browser> => {
  const browser = createBrowser();
  await signIn(browser, origin, email);
  return browser;
};

/** The answer of `GET /api/auth/user`. */
export const userOf = async (browser: Browser, origin: string): Promise<Record<string, unknown>> =>
  (await (await browser.request(`${origin}/api/auth/user`)).json()) as Record<string, unknown>;
