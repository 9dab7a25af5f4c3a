import { setTimeout } from 'node:timers/promises';

/** Resolves after the delay, or as soon as the signal is aborted. */
export const delay = (ms: number, signal: AbortSignal): Promise<void> =>
  // The timer rejects only when the signal is aborted.
  setTimeout(ms, undefined, { signal }).catch(() => {});

/**
 * A controller that is aborted with its parent, or alone. `unlink` removes it from the parent. `AbortSignal.any` is
 * not used: in Node 20 a parent that lives as long as the process keeps every signal that was ever derived from it.
 */
export const linkedAbortController = (
  parent: AbortSignal | undefined,
): Readonly<{ controller: AbortController; unlink: () => void }> => {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (parent?.aborted) abort();
  else parent?.addEventListener('abort', abort, { once: true });
  return { controller, unlink: () => parent?.removeEventListener('abort', abort) };
};
