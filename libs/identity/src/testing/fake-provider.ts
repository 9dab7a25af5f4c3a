import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { client } from './test-api.ts';

/** What the provider answers other than usual. */
export type FakeAnswers = Readonly<{
  claims?: Readonly<Record<string, unknown>>;
  header?: Readonly<Record<string, unknown>>;
  /** Signs with a key that is not published. */
  wrongKey?: boolean;
  /** Sends the id token without a signature. */
  unsigned?: boolean;
  user?: Readonly<Record<string, unknown>>;
  token?: Readonly<{ status: number; body: Readonly<Record<string, unknown>> | string }>;
}>;

export type FakeProvider = Readonly<{
  issuer: string;
  /** Sets the answers and the nonce of the next sign-ins. */
  answer: (answers: FakeAnswers, nonce: string) => void;
  close: () => Promise<void>;
}>;

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const keyPair = (): { publicKey: KeyObject; privateKey: KeyObject } =>
  generateKeyPairSync('rsa', { modulusLength: 2_048 });

const send = (response: ServerResponse, status: number, body: unknown): void => {
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/html' : 'application/json',
    connection: 'close',
  });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
};

/** An OpenID provider whose answers a test can falsify one by one. */
export const startFakeProvider = async (): Promise<FakeProvider> => {
  const published = keyPair();
  const unpublished = keyPair();
  let answers: FakeAnswers = {};
  let nonce = '';
  let issuer = '';

  const idToken = (): string => {
    const now = Math.floor(Date.now() / 1_000);
    const standard = { iss: issuer, sub: 'subject', aud: client.id, iat: now, exp: now + 60, nonce };
    const header = { alg: 'RS256', kid: 'one', ...answers.header };
    const content = `${encode(header)}.${encode({ ...standard, ...answers.claims })}`;
    if (answers.unsigned) return `${content}.`;
    const signature = createSign('RSA-SHA256').update(content);
    const { privateKey } = answers.wrongKey ? unpublished : published;
    return `${content}.${signature.sign(privateKey, 'base64url')}`;
  };

  const routes: Readonly<Record<string, (response: ServerResponse) => void>> = {
    '/.well-known/openid-configuration': (response) =>
      send(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/auth`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/me`,
        jwks_uri: `${issuer}/jwks`,
        token_endpoint_auth_methods_supported: ['client_secret_post'],
      }),
    '/jwks': (response) =>
      send(response, 200, {
        keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }],
      }),
    '/token': (response) => {
      if (answers.token) return send(response, answers.token.status, answers.token.body);
      return send(response, 200, { access_token: 'access', token_type: 'Bearer', id_token: idToken() });
    },
    '/me': (response) =>
      send(response, 200, {
        sub: 'subject',
        email: 'person@example.com',
        email_verified: true,
        ...answers.user,
      }),
  };

  const server = createServer((request: IncomingMessage, response) => {
    request.resume();
    const route = routes[request.url ?? ''];
    if (route) route(response);
    else send(response, 404, {});
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    answer: (next, nextNonce) => {
      answers = next;
      nonce = nextNonce;
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
