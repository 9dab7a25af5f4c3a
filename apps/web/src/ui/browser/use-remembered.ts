import { useCallback, useState } from 'react';

const read = (key: string): string | null => {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

const write = (key: string, value: string): void => {
  try {
    localStorage.setItem(key, value);
  } catch {
    // Without storage it holds as long as the page.
  }
};

/** A choice about the screen that this browser keeps. */
export const useRemembered = (
  key: string,
  unset: string,
): readonly [value: string, remember: (value: string) => void] => {
  const [value, setValue] = useState(() => read(key) ?? unset);
  const remember = useCallback(
    (chosen: string): void => {
      setValue(chosen);
      write(key, chosen);
    },
    [key],
  );
  return [value, remember];
};
