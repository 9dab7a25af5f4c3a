import { useDeferredValue } from 'react';

/**
 * The value, and undefined for a moment longer when it has just appeared: what depends on it is then rendered in pieces,
 * between which the browser handles clicks and paints. Changes of a value that is there are seen at once.
 */
export const useAppearing = <Value>(value: Value | undefined): Value | undefined => {
  const isDue = useDeferredValue(value !== undefined);
  return isDue ? value : undefined;
};
