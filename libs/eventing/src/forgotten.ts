/** Stands where a personal field stood whose key is gone. */
export type Forgotten = Readonly<{ $forgotten: true }>;

export const forgotten: Forgotten = Object.freeze({ $forgotten: true });

/**
 * Whether a personal field can no longer be read, because its account was forgotten.
 *
 * @example
 * const email = isForgotten(event.data.email) ? null : event.data.email;
 */
export const isForgotten = (value: unknown): value is Forgotten =>
  typeof value === 'object' && value !== null && '$forgotten' in value && value.$forgotten === true;
