import { useSyncExternalStore } from 'react';

export const narrowScreen = '(max-width: 60rem)';
export const phoneScreen = '(max-width: 40rem)';

export const useMediaQuery = (query: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const list = window.matchMedia(query);
      list.addEventListener('change', onChange);
      return () => list.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );
