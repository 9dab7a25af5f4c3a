import { messageOf } from '@tapedeck/kernel';
import type { Logger } from './log.ts';

/** How long a stop may take, in milliseconds, before the process ends all the same. */
export const stopTimeout = 10_000;

/**
 * Runs `stop` once, on SIGTERM, SIGINT, or when the launcher that started this process is gone.
 * The process exits 0 afterwards, 1 if stopping failed or took too long.
 */
export const stopOnSignal = (logger: Logger, stop: () => Promise<void>): void => {
  let stopping = false;
  const begin = (reason: string): void => {
    if (stopping) return;
    stopping = true;
    logger.info({ reason }, 'stopping');
    const late = setTimeout(() => {
      logger.error('stopping took too long');
      process.exit(1);
    }, stopTimeout);
    late.unref();
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
  process.on('disconnect', () => begin('launcher gone'));
};

/** Tells the launcher, if there is one, that this process does its work. */
export const reportReady = (details: Readonly<Record<string, unknown>>): void => {
  process.send?.({ type: 'ready', ...details });
};

/** Runs a process; a failed start is one sentence on standard error (and to the launcher), and exit status 1. */
export const runProcess = (main: () => Promise<void>): void => {
  main().catch((error: unknown) => {
    const message = messageOf(error);
    process.stderr.write(`${message}\n`);
    if (!process.send) process.exit(1);
    process.send({ type: 'failed', message }, () => process.exit(1));
  });
};
