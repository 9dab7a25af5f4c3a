import { useSyncExternalStore } from 'react';

const subscribe = (listener: () => void): (() => void) => {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
};

/** False while the page is in another tab or the window is minimised. */
export const usePageVisible = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');

/** For a query's `pollingInterval`: nothing is asked while nobody sees it. */
export const useVisiblePolling = (intervalMs: number): number => (usePageVisible() ? intervalMs : 0);
