import { useSyncExternalStore } from 'react';
import { chosenTheme, currentTheme, onThemeChange, type Theme } from './theme.ts';

export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, currentTheme);
export const useChosenTheme = (): Theme | null => useSyncExternalStore(onThemeChange, chosenTheme);
