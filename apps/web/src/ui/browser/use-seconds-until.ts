import { useEffect, useState } from 'react';

const secondsUntil = (time: number): number => Math.max(1, Math.round((time - Date.now()) / 1_000));

/** The seconds until a time, at least one, counted every second; null without a time. */
export const useSecondsUntil = (time: number | null): number | null => {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (time === null) return;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 1_000);
    return () => clearInterval(timer);
  }, [time]);
  return time === null ? null : secondsUntil(time);
};
