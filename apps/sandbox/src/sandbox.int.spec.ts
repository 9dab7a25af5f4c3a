import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accountOf } from './openid/accounts.ts';
import { isOnSite } from './charts/random.ts';
import type { SandboxOptions } from './environment.ts';
import { createBrowser, startSandbox, type Browser, type Sandbox } from './testing.ts';

const product = 'http://localhost:4999';
const verifier = 'v'.repeat(64);
const errors: string[] = [];
let folder: string;
let options: SandboxOptions;
let sandbox: Sandbox;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tapedeck-sandbox-'));
  options = {
    port: 0,
    mailPort: 0,
    clientId: 'tapedeck',
    clientSecret: 's'.repeat(32),
    redirectOrigins: [product, 'http://127.0.0.1:4999'],
    dataFolder: join(folder, 'missing'),
    onError: (line) => errors.push(line),
  };
  sandbox = await startSandbox(options);
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
  expect(errors).toEqual([]);
});

const authorizationUrl = (parameters: Record<string, string> = {}): string => {
  const url = new URL('/auth', sandbox.issuer);
  url.search = new URLSearchParams({
    client_id: options.clientId,
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `${product}/api/login/callback`,
    state: 'a-state',
    nonce: 'a-nonce',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return url.href;
};

const isProduct = (url: URL): boolean => url.origin === product;

/** Exchanges a code as the product does: for tokens and the user's claims. */
const exchange = async (
  code: string,
  codeVerifier = verifier,
): Promise<{ status: number; tokens: Record<string, string>; user: Record<string, unknown> }> => {
  const answer = await fetch(`${sandbox.issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${options.clientId}:${options.clientSecret}`)}` },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      code_verifier: codeVerifier,
      redirect_uri: `${product}/api/login/callback`,
    }),
  });
  const tokens = (await answer.json()) as Record<string, string>;
  if (!answer.ok) return { status: answer.status, tokens, user: {} };
  const user = await fetch(`${sandbox.issuer}/me`, {
    headers: { authorization: `Bearer ${tokens['access_token']}` },
  });
  return { status: answer.status, tokens, user: (await user.json()) as Record<string, unknown> };
};

const codeOf = (url: URL): string => url.searchParams.get('code') ?? '';

const signIn = async (browser: Browser, email: string): Promise<URL> => {
  const { url } = await browser.visit(authorizationUrl({ login_hint: email }), { until: isProduct });
  return url;
};

describe('signing in with login_hint', () => {
  it('needs redirects only, and gives a code for the account', async () => {
    const callback = await signIn(createBrowser(), 'Jane.Doe@example.com');
    expect(`${callback.origin}${callback.pathname}`).toBe(`${product}/api/login/callback`);
    expect(callback.searchParams.get('state')).toBe('a-state');
    expect(callback.searchParams.get('iss')).toBe(sandbox.issuer);
    const { user, tokens } = await exchange(codeOf(callback));
    expect(user).toEqual({
      sub: accountOf('jane.doe@example.com').sub,
      email: 'jane.doe@example.com',
      email_verified: true,
      given_name: 'Jane',
      family_name: 'Doe',
      name: 'Jane Doe',
    });
    const claims = JSON.parse(Buffer.from(tokens['id_token']?.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: sandbox.issuer, aud: options.clientId, nonce: 'a-nonce' });
    expect(claims).not.toHaveProperty('email');
  });

  it('accepts a code once, and only with its verifier', async () => {
    const first = await signIn(createBrowser(), 'once@example.com');
    expect((await exchange(codeOf(first), 'w'.repeat(64))).tokens['error']).toBe('invalid_grant');
    const second = await signIn(createBrowser(), 'once@example.com');
    expect((await exchange(codeOf(second))).status).toBe(200);
    expect((await exchange(codeOf(second))).tokens['error']).toBe('invalid_grant');
  });

  it('changes to another account in the same browser by redirects only', async () => {
    const browser = createBrowser();
    await signIn(browser, 'first@example.com');
    const callback = await signIn(browser, 'second@example.com');
    expect((await exchange(codeOf(callback))).user['email']).toBe('second@example.com');
  });

  it('completes two sign-ins that were begun at the same time', async () => {
    const browser = createBrowser();
    const isInteraction = (url: URL): boolean => url.pathname.startsWith('/interaction/');
    const begun = await Promise.all(
      ['one@example.com', 'two@example.com'].map((email) =>
        browser.visit(authorizationUrl({ login_hint: email, state: email }), { until: isInteraction }),
      ),
    );
    for (const { url } of begun) {
      const callback = (await browser.visit(url.href, { until: isProduct })).url;
      expect((await exchange(codeOf(callback))).user['email']).toBe(callback.searchParams.get('state'));
    }
  });

  it.each(['nobody', '<script>alert(1)</script>', 'a@b.c\r\nx: y', 'x'.repeat(5_000)])(
    'shows the page without the hint when the hint is %.40j',
    async (hint) => {
      const { response, url } = await createBrowser().visit(authorizationUrl({ login_hint: hint }));
      expect(url.origin).toBe(sandbox.issuer);
      expect(response.status).toBe(400);
      const page = await response.text();
      expect(page).toContain('That is not an e-mail address');
      expect(page).not.toContain(hint);
    },
  );

  it('refuses a redirect address that is not registered', async () => {
    const { response, url } = await createBrowser().visit(
      authorizationUrl({
        redirect_uri: 'http://evil.example/api/login/callback',
        login_hint: 'a@example.com',
      }),
    );
    expect(url.origin).toBe(sandbox.issuer);
    expect(response.status).toBe(400);
  });

  it('requires PKCE', async () => {
    const { url } = await createBrowser().visit(
      authorizationUrl({ code_challenge: '', code_challenge_method: '', login_hint: 'a@example.com' }),
      { until: isProduct },
    );
    expect(url.searchParams.get('error')).toBe('invalid_request');
  });
});

describe('the sign-in page', () => {
  it('offers every persona by one click', async () => {
    const browser = createBrowser();
    const { response, url } = await browser.visit(authorizationUrl());
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'; style-src 'self'");
    const page = await response.text();
    for (const name of ['free', 'pro', 'elite', 'admin', 'support', 'new']) {
      expect(page).toContain(`value="${name}@tapedeck.example"`);
    }
    expect(page).not.toMatch(/<script|<style| style=/);
    const { url: callback } = await browser.visit(url.href, {
      init: { method: 'POST', body: new URLSearchParams({ email: 'elite@tapedeck.example' }) },
      until: isProduct,
    });
    expect((await exchange(codeOf(callback))).user).toMatchObject({ given_name: 'Elias' });
  });

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example' },
    { origin: 'null' },
  ])('refuses the form of another site: %j', async (headers) => {
    const browser = createBrowser();
    const { url } = await browser.visit(authorizationUrl());
    const body = new URLSearchParams({ email: 'admin@tapedeck.example' });
    const { response } = await browser.visit(url.href, { init: { method: 'POST', headers, body } });
    expect(response.status).toBe(403);
    expect(await response.text()).toContain('another site');
  });

  it('is skipped when the browser is signed in already', async () => {
    const browser = createBrowser();
    await signIn(browser, 'again@example.com');
    const { url: callback } = await browser.visit(authorizationUrl(), { until: isProduct });
    expect((await exchange(codeOf(callback))).user['email']).toBe('again@example.com');
  });

  it('shows a message when another browser has begun the sign-in', async () => {
    const { url } = await createBrowser().visit(authorizationUrl());
    const otherBrowser = await createBrowser().request(url.href);
    expect(otherBrowser.status).toBe(400);
    expect(await otherBrowser.text()).toContain('start again from Tapedeck');
  });
});

describe('signing out', () => {
  const endSession = (parameters: Record<string, string>): string =>
    `${sandbox.issuer}/session/end?${new URLSearchParams(parameters).toString()}`;

  it('needs redirects only when an id token is sent, and the next sign-in shows the page', async () => {
    const browser = createBrowser();
    const { tokens } = await exchange(codeOf(await signIn(browser, 'leaving@example.com')));
    const end = endSession({
      id_token_hint: tokens['id_token'] ?? '',
      post_logout_redirect_uri: `${product}/`,
      state: 'bye',
    });
    expect((await browser.visit(end, { until: isProduct })).url.href).toBe(`${product}/?state=bye`);
    // The session has ended already: the second request has the same result.
    expect((await browser.visit(end, { until: isProduct })).url.href).toBe(`${product}/?state=bye`);
    const { response } = await browser.visit(authorizationUrl());
    expect(await response.text()).toContain('Choose an account');
  });

  it('refuses a return address that is not registered', async () => {
    const browser = createBrowser();
    const { tokens } = await exchange(codeOf(await signIn(browser, 'leaving@example.com')));
    const { response } = await browser.visit(
      endSession({
        id_token_hint: tokens['id_token'] ?? '',
        post_logout_redirect_uri: 'http://evil.example/',
      }),
    );
    expect(response.status).toBe(400);
  });

  it('asks first when no id token is sent', async () => {
    const browser = createBrowser();
    await signIn(browser, 'leaving@example.com');
    const { response } = await browser.visit(endSession({}));
    expect(await response.text()).toContain('Sign out of the sandbox?');
  });
});

describe('the signing keys', () => {
  const keysFile = (): string => join(options.dataFolder, 'sandbox-keys.json');
  const publicKeys = async (issuer: string): Promise<unknown> => (await fetch(`${issuer}/jwks`)).json();

  it('are readable by their owner only, and remain the same after a restart', async () => {
    expect((await stat(keysFile())).mode & 0o777).toBe(0o600);
    const before = await publicKeys(sandbox.issuer);
    expect(JSON.stringify(before)).not.toContain('"d"');
    const second = await startSandbox(options);
    expect(await publicKeys(second.issuer)).toEqual(before);
    await second.close();
  });

  it('are refused when the file is damaged', async () => {
    const damaged = join(folder, 'damaged');
    const copy = { ...options, dataFolder: damaged };
    await startSandbox(copy).then((other) => other.close());
    const file = join(damaged, 'sandbox-keys.json');
    await writeFile(file, (await readFile(file, 'utf8')).slice(0, 100));
    await expect(startSandbox(copy)).rejects.toMatchObject({ code: 'SANDBOX_KEYS_DAMAGED' });
  });
});

describe('startSandbox', () => {
  it('refuses a port that is taken', async () => {
    await expect(startSandbox({ ...options, port: sandbox.port })).rejects.toMatchObject({
      code: 'PORT_TAKEN',
    });
  });
});

describe('a chart picture', () => {
  const picture = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${sandbox.issuer}/charts/${path}`, { headers });

  it('can be cached by browsers and shown by other sites', async () => {
    const answer = await picture('S3LKflwr.svg');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('cache-control')).toContain('max-age=300');
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const etag = answer.headers.get('etag') ?? '';
    expect((await picture('S3LKflwr.svg', { 'if-none-match': etag })).status).toBe(304);
  });

  it('is missing for some strategies and for addresses that name none', async () => {
    const without = Array.from({ length: 500 }, (_, index) => `Zz${String(index).padStart(6, '0')}`).find(
      (id) => !isOnSite(id),
    );
    for (const path of [`${without}.svg`, 'short.svg', 'S3LKflwr.png', 'S3LKflwr', 'S3LK%2Flwr.svg', '']) {
      expect((await picture(path)).status).toBe(404);
    }
  });
});
