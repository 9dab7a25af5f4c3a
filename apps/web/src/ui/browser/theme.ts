import { storedText } from './stored-text.ts';

export type Theme = 'light' | 'dark';

const stored = storedText('tapedeck.theme');
const darkSystem = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

export const chosenTheme = (): Theme | null => {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : null;
};

export const currentTheme = (): Theme =>
  chosenTheme() ?? (window.matchMedia(darkSystem).matches ? 'dark' : 'light');

/** Null goes back to the system's theme. */
export const chooseTheme = (theme: Theme | null): void => {
  if (theme) document.documentElement.dataset['theme'] = theme;
  else delete document.documentElement.dataset['theme'];
  stored.write(theme);
  listeners.forEach((listener) => listener());
};

/** Calls the listener after every change, also of the system's theme; returns a function that unsubscribes. */
export const onThemeChange = (listener: () => void): (() => void) => {
  const system = window.matchMedia(darkSystem);
  listeners.add(listener);
  system.addEventListener('change', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
  };
};
