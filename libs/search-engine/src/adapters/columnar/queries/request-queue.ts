/** One question at a time: they share the kernel's mask and working memory. */
export type QuestionQueue = Readonly<{
  /** Rejects with the signal's reason, without having begun, when the signal aborts before its turn. */
  ask: <T>(question: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  /** At once, or as soon as the question that is being answered is done. */
  between: (work: () => void) => void;
}>;

export const questionQueue = (): QuestionQueue => {
  const waiting = new Set<() => void>();
  let between: (() => void)[] = [];
  let isBusy = false;

  const settle = (): void => {
    const works = between;
    between = [];
    for (const work of works) work();
  };
  const next = (): void => {
    settle();
    const [first] = waiting;
    if (first) first();
    else isBusy = false;
  };
  const turn = (signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const giveUp = (): void => {
        waiting.delete(begin);
        reject(signal?.reason as Error);
      };
      const begin = (): void => {
        waiting.delete(begin);
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      waiting.add(begin);
      signal?.addEventListener('abort', giveUp, { once: true });
    });

  return {
    ask: async (question, signal) => {
      signal?.throwIfAborted();
      if (isBusy) await turn(signal);
      isBusy = true;
      try {
        return await question();
      } finally {
        next();
      }
    },
    between: (work) => {
      between.push(work);
      if (!isBusy) settle();
    },
  };
};
