import { useCallback, useState } from 'react';
import { storedText } from './stored-text.ts';

/** A choice about the screen that this browser keeps. */
export const useStoredChoice = (
  key: string,
  defaultValue: string,
): readonly [value: string, choose: (value: string) => void] => {
  const [value, setValue] = useState(() => storedText(key).read() ?? defaultValue);
  const choose = useCallback(
    (chosen: string): void => {
      setValue(chosen);
      storedText(key).write(chosen);
    },
    [key],
  );
  return [value, choose];
};
