import { DomainError, messageOf } from '@tapedeck/kernel';
import * as client from 'openid-client';
import { personOf, type Person } from './person.ts';

/** What must be the same when somebody comes back. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; codeVerifier: string }>;

export type SignedInPerson = Readonly<{ person: Person; idToken: string }>;

/** The sign-in provider, whoever it is. */
export type OpenIdClient = Readonly<{
  authorizationUrl: (
    secrets: SignInSecrets,
    options: Readonly<{ callbackUrl: string; loginHint?: string | undefined }>,
  ) => Promise<string>;
  /**
   * @throws DomainError SIGN_IN_FAILED, SIGN_IN_REFUSED, IDENTITY_PROVIDER_UNAVAILABLE
   */
  person: (currentUrl: URL, secrets: SignInSecrets) => Promise<SignedInPerson>;
  /** Where to sign out of the provider too; undefined when it offers nothing, or is away. */
  endSessionUrl: (idToken: string, returnTo: string) => Promise<string | undefined>;
}>;

export type OpenIdClientOptions = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Told in words, without tokens or claims, why a sign-in did not succeed. */
  onFailure: (reason: string) => void;
}>;

export const createSignInSecrets = (): SignInSecrets => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  codeVerifier: client.randomPKCECodeVerifier(),
});

/** How long one answer of the provider may take, in seconds. */
const timeout = 5;

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const mayBeInsecure = (issuer: URL): boolean => {
  if (issuer.protocol === 'https:') return false;
  if (loopbackNames.has(issuer.hostname)) return true;
  throw new DomainError(
    'invalid',
    'BAD_CONFIGURATION',
    'The environment variable OIDC_ISSUER must be an https address: http is good enough on a loopback address only.',
  );
};

/** As the provider wants it; the first of the two where it says nothing, as the standard has it. */
const clientSecret =
  (secret: string): client.ClientAuth =>
  (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_basic')
      ? client.ClientSecretBasic(secret)
      : client.ClientSecretPost(secret);
    return authenticate(server, ...rest);
  };

const reasonOf = (error: unknown): string => {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  const told = [messageOf(error), code, cause instanceof Error ? messageOf(cause) : undefined];
  return told.filter((part) => typeof part === 'string').join(': ');
};

const unavailable = (error: unknown): DomainError =>
  new DomainError(
    'unavailable',
    'IDENTITY_PROVIDER_UNAVAILABLE',
    'The sign-in provider does not answer at the moment: try again shortly.',
    { cause: reasonOf(error) },
  );

const failed = (error: unknown): DomainError =>
  new DomainError(
    'invalid',
    'SIGN_IN_FAILED',
    'This sign-in could not be completed: begin again. Nobody was signed in.',
    { cause: reasonOf(error) },
  );

/** Nobody listens, or the line broke: a system's or the HTTP client's code somewhere among the causes. */
const isNetworkFailure = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+)$/.test(code)) || isNetworkFailure(cause);
};

const temporary = new Set(['server_error', 'temporarily_unavailable']);
const notAnswered = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

const failureOf = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof client.AuthorizationResponseError) {
    if (temporary.has(error.error)) return unavailable(error);
    if (error.error !== 'access_denied') return failed(error);
    return new DomainError(
      'forbidden',
      'SIGN_IN_REFUSED',
      'The sign-in was cancelled: begin again any time.',
    );
  }
  if (error instanceof client.ResponseBodyError) {
    return error.status >= 500 ? unavailable(error) : failed(error);
  }
  const code = error instanceof client.ClientError ? error.code : undefined;
  return (code !== undefined && notAnswered.has(code)) || isNetworkFailure(error)
    ? unavailable(error)
    : failed(error);
};

type Discovered = () => Promise<client.Configuration>;

/** Asks the provider about itself when it is needed, and again after a failure, so that it may start later. */
const lazyDiscovery = (options: OpenIdClientOptions): Discovered => {
  const issuer = new URL(options.issuer);
  const execute = [
    // The token comes straight from the provider, but a signature is worth checking all the same.
    client.enableNonRepudiationChecks,
    ...(mayBeInsecure(issuer) ? [client.allowInsecureRequests] : []),
  ];
  let known: Promise<client.Configuration> | undefined;
  return () => {
    known ??= client
      .discovery(issuer, options.clientId, undefined, clientSecret(options.clientSecret), {
        execute,
        timeout,
      })
      .catch((error: unknown) => {
        known = undefined;
        options.onFailure(`discovery of ${options.issuer}: ${reasonOf(error)}`);
        throw unavailable(error);
      });
    return known;
  };
};

const personFrom = async (
  configuration: client.Configuration,
  currentUrl: URL,
  { state, nonce, codeVerifier }: SignInSecrets,
): Promise<SignedInPerson> => {
  const tokens = await client.authorizationCodeGrant(configuration, currentUrl, {
    expectedState: state,
    expectedNonce: nonce,
    pkceCodeVerifier: codeVerifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims || tokens.id_token === undefined) throw failed(new Error('There is no id token.'));
  const more = configuration.serverMetadata().userinfo_endpoint
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {};
  return { person: personOf({ ...claims, ...more }), idToken: tokens.id_token };
};

/** @throws DomainError BAD_CONFIGURATION for an issuer that is neither https nor on a loopback address. */
export const createOpenIdClient = (options: OpenIdClientOptions): OpenIdClient => {
  const discovered = lazyDiscovery(options);
  return {
    authorizationUrl: async ({ state, nonce, codeVerifier }, { callbackUrl, loginHint }) => {
      const url = client.buildAuthorizationUrl(await discovered(), {
        redirect_uri: callbackUrl,
        scope: 'openid email profile',
        response_type: 'code',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(loginHint === undefined ? {} : { login_hint: loginHint }),
      });
      return url.href;
    },
    person: async (currentUrl, secrets) => {
      try {
        return await personFrom(await discovered(), currentUrl, secrets);
      } catch (error) {
        if (!(error instanceof DomainError)) options.onFailure(reasonOf(error));
        throw failureOf(error);
      }
    },
    endSessionUrl: async (idToken, returnTo) => {
      // Signing out here must not depend on the provider.
      const configuration = await discovered().catch(() => undefined);
      if (!configuration?.serverMetadata().end_session_endpoint) return undefined;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo };
      return client.buildEndSessionUrl(configuration, parameters).href;
    },
  };
};
