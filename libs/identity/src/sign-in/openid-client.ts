import { DomainError, messageOf } from '@tapedeck/kernel';
import * as client from 'openid-client';
import type { Person } from '../domain/decide.ts';
import { mergedClaims, personOf } from './person.ts';

/** For Nest: `OpenIdClient`. */
export const OPENID_CLIENT = Symbol('OpenIdClient');

/** Random values of one sign-in, which tie the callback to the redirect before it. */
export type SignInSecrets = Readonly<{ state: string; nonce: string; codeVerifier: string }>;

export type SignedInPerson = Readonly<{ person: Person; idToken: string }>;

/** The configured sign-in provider. */
export type OpenIdClient = Readonly<{
  authorizationUrl: (
    secrets: SignInSecrets,
    options: Readonly<{ callbackUrl: string; loginHint?: string | undefined }>,
  ) => Promise<string>;
  /**
   * The person whose callback this is.
   * @throws DomainError SIGN_IN_FAILED, SIGN_IN_REFUSED, IDENTITY_PROVIDER_UNAVAILABLE
   */
  person: (currentUrl: URL, secrets: SignInSecrets) => Promise<SignedInPerson>;
  /** The address that ends the provider's session too; undefined when the provider has none or is unavailable. */
  endSessionUrl: (idToken: string, returnTo: string) => Promise<string | undefined>;
}>;

export type OpenIdClientOptions = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Called with the reason why a sign-in failed, without tokens or claims. */
  onFailure: (reason: string) => void;
}>;

export const createSignInSecrets = (): SignInSecrets => ({
  state: client.randomState(),
  nonce: client.randomNonce(),
  codeVerifier: client.randomPKCECodeVerifier(),
});

const timeoutSeconds = 5;

const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]']);

const mayBeInsecure = (issuer: URL): boolean => {
  if (issuer.protocol === 'https:') return false;
  if (loopbackNames.has(issuer.hostname)) return true;
  throw new DomainError(
    'invalid',
    'BAD_CONFIGURATION',
    'The environment variable OIDC_ISSUER must be an https address; http is allowed on a loopback address only.',
  );
};

/** The method that the provider supports; `client_secret_basic` where it lists none, as the standard requires. */
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
  const parts = [messageOf(error), code, cause instanceof Error ? messageOf(cause) : undefined];
  return parts.filter((part) => typeof part === 'string').join(': ');
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
    'This sign-in could not be completed, and you are not signed in: sign in again.',
    { cause: reasonOf(error) },
  );

/** Whether the provider could not be reached: the error or one of its causes has a code of the system or the HTTP client. */
const isNetworkFailure = (error: unknown): boolean => {
  if (typeof error !== 'object' || error === null) return false;
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return (typeof code === 'string' && /^(E[A-Z_]+|UND_ERR_\w+)$/.test(code)) || isNetworkFailure(cause);
};

const temporaryErrors = new Set(['server_error', 'temporarily_unavailable']);
const unansweredCodes = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM']);

const failureOf = (error: unknown): DomainError => {
  if (error instanceof DomainError) return error;
  if (error instanceof client.AuthorizationResponseError) {
    if (temporaryErrors.has(error.error)) return unavailable(error);
    if (error.error !== 'access_denied') return failed(error);
    return new DomainError(
      'forbidden',
      'SIGN_IN_REFUSED',
      'The sign-in was cancelled: you can sign in again at any time.',
    );
  }
  if (error instanceof client.ResponseBodyError) {
    return error.status >= 500 ? unavailable(error) : failed(error);
  }
  const code = error instanceof client.ClientError ? error.code : undefined;
  return (code !== undefined && unansweredCodes.has(code)) || isNetworkFailure(error)
    ? unavailable(error)
    : failed(error);
};

/** Reads the provider's configuration at the first use, and again after a failure: the provider may start later. */
const lazyDiscovery = (options: OpenIdClientOptions): (() => Promise<client.Configuration>) => {
  const issuer = new URL(options.issuer);
  const execute = [
    // Checks the signature of the id token, although it comes directly from the provider.
    client.enableNonRepudiationChecks,
    ...(mayBeInsecure(issuer) ? [client.allowInsecureRequests] : []),
  ];
  let known: Promise<client.Configuration> | undefined;
  return () => {
    known ??= client
      .discovery(issuer, options.clientId, undefined, clientSecret(options.clientSecret), {
        execute,
        timeout: timeoutSeconds,
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
  if (!claims || tokens.id_token === undefined) throw failed(new Error('The provider sent no id token.'));
  const userInfo = configuration.serverMetadata().userinfo_endpoint
    ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
    : {};
  return { person: personOf(mergedClaims(claims, userInfo)), idToken: tokens.id_token };
};

/** @throws DomainError BAD_CONFIGURATION for an issuer that is neither https nor on a loopback address. */
export const createOpenIdClient = (options: OpenIdClientOptions): OpenIdClient => {
  const discover = lazyDiscovery(options);
  return {
    authorizationUrl: async ({ state, nonce, codeVerifier }, { callbackUrl, loginHint }) => {
      const url = client.buildAuthorizationUrl(await discover(), {
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
        return await personFrom(await discover(), currentUrl, secrets);
      } catch (error) {
        if (!(error instanceof DomainError)) options.onFailure(reasonOf(error));
        throw failureOf(error);
      }
    },
    endSessionUrl: async (idToken, returnTo) => {
      // Signing out of the product must not depend on the provider.
      const configuration = await discover().catch(() => undefined);
      if (!configuration?.serverMetadata().end_session_endpoint) return undefined;
      const parameters = { id_token_hint: idToken, post_logout_redirect_uri: returnTo };
      return client.buildEndSessionUrl(configuration, parameters).href;
    },
  };
};
