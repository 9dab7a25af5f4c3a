import { DomainError, messageOf } from '@tapedeck/kernel';
import { isTransient, sqlStateOf } from '../../postgres-errors.ts';

/** The tape cannot be reached right now, or not in the given time. */
export const tapeUnavailable = (use: 'written' | 'read', cause: unknown): DomainError =>
  new DomainError(
    'unavailable',
    'TAPE_UNAVAILABLE',
    `The tape cannot be ${use} right now: try again shortly.`,
    { cause: messageOf(cause) },
  );

export const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'TAPE_UNAVAILABLE';

/** Whether to read again after this error. 57014: the server has ended a query that took too long. */
export const isTransientRead = (error: unknown): boolean =>
  isUnavailable(error) || isTransient(error) || sqlStateOf(error) === '57014';

/** The result of a read; errors that pass become TAPE_UNAVAILABLE. */
export const orUnavailable = async <Result>(reading: Promise<Result>): Promise<Result> => {
  try {
    return await reading;
  } catch (error) {
    throw isTransientRead(error) && !isUnavailable(error) ? tapeUnavailable('read', error) : error;
  }
};
