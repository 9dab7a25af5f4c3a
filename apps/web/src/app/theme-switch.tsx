import type { JSX } from 'react';
import { Icon } from '../ui/icon.tsx';
import { chooseTheme, useTheme } from '../ui/browser/theme.ts';

export const ThemeSwitch = (): JSX.Element => {
  const theme = useTheme();
  const other = theme === 'dark' ? 'light' : 'dark';
  return (
    <button
      className="btn btn--quiet btn--icon"
      type="button"
      aria-label={`Switch to the ${other} theme`}
      title={`Switch to the ${other} theme`}
      onClick={() => chooseTheme(other)}
    >
      <Icon name="theme" />
    </button>
  );
};
