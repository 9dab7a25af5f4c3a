/** What went wrong, in terms that every edge (HTTP, CLI, log) can translate once. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported'
  | 'too-many'
  | 'unavailable';

/**
 * An expected failure. `code` is stable and part of the contract (`FAVOURITE_TAG_TOO_LONG`);
 * `message` says what was wrong and what to do, for a person.
 */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    kind: ErrorKind,
    code: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = 'DomainError';
    this.kind = kind;
    this.code = code;
    this.details = details;
  }
}

/** The message of anything that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
