const minDelayMs = 250;
const maxDelayMs = 60_000;

export type RealRetries = Readonly<{
  failed: (id: string) => void;
  forget: (id: string) => void;
  close: () => void;
}>;

/**
 * A receiver that is down is asked again soon in real time, because its clock may stand still; less often the
 * longer it is down.
 */
export const createRealRetries = (retry: (id: string) => void): RealRetries => {
  const failures = new Map<string, Readonly<{ count: number; timer: NodeJS.Timeout }>>();
  const forget = (id: string): void => {
    clearTimeout(failures.get(id)?.timer);
    failures.delete(id);
  };
  return {
    forget,
    failed: (id) => {
      const count = (failures.get(id)?.count ?? 0) + 1;
      clearTimeout(failures.get(id)?.timer);
      const delay = Math.min(maxDelayMs, minDelayMs * 2 ** Math.min(count - 1, 10));
      const timer = setTimeout(() => retry(id), delay);
      timer.unref();
      failures.set(id, { count, timer });
    },
    close: () => {
      for (const id of failures.keys()) forget(id);
    },
  };
};
