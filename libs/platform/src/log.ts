import type { LoggerService } from '@nestjs/common';
import { destination, pino, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * Lines are written by another thread, several at once, and at the end what is left: a reader of standard output who is
 * slow must not hold requests up. In milliseconds and bytes.
 */
const gathering = { sync: false, minLength: 4_096, periodicFlush: 100 } as const;

/** JSON lines on standard output; secrets and personal data are cut out. */
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
    level === 'silent' ? undefined : destination(gathering),
  );

/** Nest's own messages in the same form. */
export const nestLogger = (logger: Logger): LoggerService => {
  const at =
    (level: 'debug' | 'info' | 'warn' | 'error' | 'fatal') =>
    (message: unknown, ...rest: unknown[]): void => {
      logger[level]({ context: rest.at(-1) }, message instanceof Error ? message.message : String(message));
    };
  return {
    log: at('debug'),
    debug: at('debug'),
    verbose: at('debug'),
    warn: at('warn'),
    error: at('error'),
    fatal: at('fatal'),
  };
};
