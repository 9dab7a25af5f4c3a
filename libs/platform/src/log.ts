import type { LoggerService } from '@nestjs/common';
import { destination, pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * Lines are collected (up to 4,096 bytes or 100 ms) and written asynchronously, so that a slow reader of standard output
 * does not delay requests.
 */
const destinationOptions = { sync: false, minLength: 4_096, periodicFlush: 100 } as const;

/** Writes JSON lines to standard output, without secrets and personal data. */
export const createLogger = (name: string, level: string): Logger =>
  pino(
    {
      name,
      level,
      redact: {
        paths: [
          'req.headers.cookie',
          'req.headers.authorization',
          'req.headers["stripe-signature"]',
          'res.headers["set-cookie"]',
          '*.email',
          'email',
        ],
        censor: '[cut]',
      },
    },
    level === 'silent' ? undefined : destination(destinationOptions),
  );

/** Writes Nest's own messages to the same log. */
export const nestLogger = (logger: Logger): LoggerService => {
  const logAt =
    (level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...rest: unknown[]): void => {
      logger[level]({ context: rest.at(-1) }, message instanceof Error ? message.message : String(message));
    };
  return {
    log: logAt('debug'),
    debug: logAt('debug'),
    verbose: logAt('debug'),
    warn: logAt('warn'),
    error: logAt('error'),
    fatal: logAt('fatal'),
  };
};
