import { useSyncExternalStore } from 'react';
import { storedText } from './stored-text.ts';

export type Theme = 'light' | 'dark';

const stored = storedText('tapedeck.theme');
const darkSystem = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

const chosenTheme = (): Theme | null => {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : null;
};

const currentTheme = (): Theme => chosenTheme() ?? (window.matchMedia(darkSystem).matches ? 'dark' : 'light');

/** Null goes back to the system's theme. */
export const chooseTheme = (theme: Theme | null): void => {
  if (theme) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
  stored.write(theme);
  listeners.forEach((listener) => listener());
};

const subscribe = (onChange: () => void): (() => void) => {
  const system = window.matchMedia(darkSystem);
  listeners.add(onChange);
  system.addEventListener('change', onChange);
  return () => {
    listeners.delete(onChange);
    system.removeEventListener('change', onChange);
  };
};

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme);
export const useChosenTheme = (): Theme | null => useSyncExternalStore(subscribe, chosenTheme);
