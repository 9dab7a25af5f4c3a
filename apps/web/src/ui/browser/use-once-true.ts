import { useState } from 'react';

/** True from the first time on that the condition holds: what has been shown is not hidden again. */
export const useOnceTrue = (isTrue: boolean): boolean => {
  const [was, setWas] = useState(isTrue);
  if (isTrue && !was) setWas(true);
  return was || isTrue;
};
