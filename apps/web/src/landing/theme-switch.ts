import { chooseTheme, currentTheme } from '../ui/browser/theme.ts';

export const startThemeSwitch = (root: HTMLElement): void => {
  const button = root.querySelector('[data-theme-switch]');
  button?.addEventListener('click', () => chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark'));
};
