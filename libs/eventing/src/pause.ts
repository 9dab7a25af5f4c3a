/** Resolves after `ms`, or at once when the signal is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });

/** A controller that is aborted with its parent, or alone; `dispose` lets go of the parent. */
export const childOf = (
  parent: AbortSignal,
): Readonly<{ controller: AbortController; dispose: () => void }> => {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (parent.aborted) abort();
  else parent.addEventListener('abort', abort);
  return { controller, dispose: () => parent.removeEventListener('abort', abort) };
};
