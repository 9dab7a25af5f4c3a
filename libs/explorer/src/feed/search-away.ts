import { DomainError } from '@tapedeck/kernel';

/** D20: the configured engine's server cannot be used; nothing else answers in its place. */
export const searchAway = (cause?: string): DomainError =>
  new DomainError(
    'unavailable',
    'SEARCH_AWAY',
    'The search is not available at the moment: try again in a few seconds.',
    cause === undefined ? {} : { cause },
  );
