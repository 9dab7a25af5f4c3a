import { useEffect, useState } from 'react';

const tickMs = 1_000;

/** For how long the component has been waiting, counted while `isWaiting`; to the second. */
export const useWaitedMs = (isWaiting: boolean): number => {
  const [waitedMs, setWaitedMs] = useState(0);
  useEffect(() => {
    if (!isWaiting) return;
    const since = Date.now();
    const timer = setInterval(() => setWaitedMs(Date.now() - since), tickMs);
    return () => {
      clearInterval(timer);
      setWaitedMs(0);
    };
  }, [isWaiting]);
  return waitedMs;
};
