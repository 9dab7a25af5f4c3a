/** The kind of a failure. HTTP derives the status from it. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'precondition-failed'
  | 'too-large'
  | 'unsupported'
  | 'unprocessable'
  | 'too-many'
  | 'unavailable';

/**
 * An expected failure. `code` is stable and part of the contract (`FAVOURITE_TAG_TOO_LONG`);
 * `message` tells a person what is wrong and what to do.
 *
 * @example
 * throw new DomainError('conflict', 'FAVOURITE_EXISTS', 'This strategy is already a favourite.');
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

/** What the present state does not allow. */
export const conflict = (code: string, message: string): DomainError =>
  new DomainError('conflict', code, message);

/** The message of a thrown value, whether it is an Error or not. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
