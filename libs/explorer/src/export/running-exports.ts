import { Injectable } from '@nestjs/common';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { FastifyReply } from 'fastify';

/** Each one holds rows and a connection for as long as its client reads. */
const maxExports = 8;
const maxDurationMs = 120_000;

/** One export per account at a time, and few in all. */
@Injectable()
export class RunningExports {
  readonly #accounts = new Set<AccountId>();

  /**
   * The export ends with the answer, and at the latest after two minutes.
   * @throws DomainError EXPORT_RUNNING, EXPORTS_BUSY
   */
  begin(account: AccountId, { raw }: FastifyReply): void {
    if (this.#accounts.has(account)) {
      throw new DomainError(
        'conflict',
        'EXPORT_RUNNING',
        'Your last export is still being sent: wait until it has ended, then export again.',
      );
    }
    if (this.#accounts.size >= maxExports) {
      throw new DomainError(
        'unavailable',
        'EXPORTS_BUSY',
        'Too many members export at the moment: try again in 10 seconds.',
        { retryAfterSeconds: 10 },
      );
    }
    this.#accounts.add(account);
    const timer = setTimeout(() => raw.destroy(), maxDurationMs).unref();
    let isRunning = true;
    const end = (): void => {
      if (!isRunning) return;
      isRunning = false;
      clearTimeout(timer);
      this.#accounts.delete(account);
    };
    raw.once('finish', end).once('close', end);
  }
}
