import { messageOf } from '@tapedeck/kernel';
import type { Logger } from '../log.ts';

/** After this time the process ends even if stopping has not finished. */
export const stopTimeoutMs = 10_000;

/**
 * Runs `stop` once: on SIGTERM, on SIGINT, or when the launcher that started this process has ended.
 * Then the process exits with status 0, or 1 if stopping failed or took too long.
 */
export const stopOnSignal = (logger: Logger, stop: () => Promise<void>): void => {
  let stopping = false;
  const begin = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const timer = setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, stopTimeoutMs);
    timer.unref();
    stop().then(
      () => process.exit(0),
      (error: unknown) => {
        logger.error({ err: error }, 'stopping failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => begin('SIGTERM'));
  process.on('SIGINT', () => begin('SIGINT'));
  process.on('disconnect', () => begin('launcher ended'));
};

/** Reports to the launcher, if there is one, that this process is ready. */
export const reportReady = (details: Readonly<Record<string, unknown>>): void => {
  process.send?.({ type: 'ready', ...details });
};

/** Runs a process. A failed start writes one sentence to standard error and to the launcher, and exits with status 1. */
export const runProcess = (main: () => Promise<void>): void => {
  main().catch((error: unknown) => {
    const message = messageOf(error);
    process.stderr.write(`${message}\n`);
    if (!process.send) process.exit(1);
    process.send({ type: 'failed', message }, () => process.exit(1));
  });
};
