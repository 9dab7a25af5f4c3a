/** What the parts of signing in and out share. */
export const OPENID_CLIENT = Symbol('OpenIdClient');
export const PENDING_SIGN_INS = Symbol('PendingSignIns');
export const ID_TOKEN_SEALER = Symbol('IdTokenSealer');
