/** Injection tokens for values that modules do not create themselves; `apps/*` provide them. */
export const CONFIG = Symbol('Config');
export const DATABASES = Symbol('Databases');
export const EVENT_STORE = Symbol('EventStore');
export const EVENT_TYPES = Symbol('EventTypes');
export const CLOCK = Symbol('Clock');
export const LOGGER = Symbol('Logger');
/** A `VerifiedEmail`, provided by the identity module. */
export const VERIFIED_EMAIL = Symbol('VerifiedEmail');
/** A `MemberFeatures`, provided by the membership module. */
export const MEMBER_FEATURES = Symbol('MemberFeatures');
