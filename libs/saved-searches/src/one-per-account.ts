type Running<T> = { readonly key: string; readonly result: Promise<T>; leave: () => void; waiting: number };

/** At most one computation per account at a time; requests for the same one share it. */
export class OnePerAccount<T> {
  readonly #running = new Map<string, Running<T>>();

  /** `work` is aborted when no caller waits for it any more. */
  async run(
    account: string,
    key: string,
    work: (signal: AbortSignal) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    for (;;) {
      const running = this.#running.get(account);
      if (!running || running.key === key) {
        return this.#wait(running ?? this.#start(account, key, work), signal);
      }
      await running.result.catch(() => {});
    }
  }

  #start(account: string, key: string, work: (signal: AbortSignal) => Promise<T>): Running<T> {
    const controller = new AbortController();
    const end = (): void => {
      if (this.#running.get(account) === running) this.#running.delete(account);
    };
    const leave = (): void => {
      if (--running.waiting > 0) return;
      end();
      controller.abort();
    };
    const running: Running<T> = { key, result: work(controller.signal).finally(end), leave, waiting: 0 };
    this.#running.set(account, running);
    return running;
  }

  async #wait(running: Running<T>, signal: AbortSignal | undefined): Promise<T> {
    running.waiting++;
    if (signal?.aborted) running.leave();
    else signal?.addEventListener('abort', running.leave, { once: true });
    try {
      return await running.result;
    } finally {
      signal?.removeEventListener('abort', running.leave);
    }
  }
}
