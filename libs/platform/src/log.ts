import type { LoggerService } from '@nestjs/common';
import { pino, type Logger } from 'pino';
import { createLogDestination, type LogDestination } from './log-destination.ts';

export type { Logger } from 'pino';

const standardOutput = (onDropped: (lines: number) => void): LogDestination => {
  const out = createLogDestination(process.stdout.fd, onDropped);
  process.on('exit', out.flushSync);
  return out;
};

/** Writes JSON lines to standard output, without secrets and personal data. */
export const createLogger = (name: string, level: string): Logger => {
  const logger = pino(
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
    level === 'silent'
      ? undefined
      : standardOutput((lines) => {
          logger.warn({ lines }, 'lines of the log were dropped: they could not be written');
        }),
  );
  return logger;
};

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
