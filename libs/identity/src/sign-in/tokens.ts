/** What the parts of signing in and out share. */
export const OPENID_CLIENT = Symbol('OpenIdClient');
export const ATTEMPTS = Symbol('Attempts');
export const ID_TOKEN_SEALER = Symbol('IdTokenSealer');
