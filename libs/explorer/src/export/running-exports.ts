import { setTimeout as wait } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { FastifyReply } from 'fastify';

/** Each one holds rows and a connection for as long as its client reads. */
const maxExports = 8;
const maxDurationMs = 120_000;
/** A client may have all of an answer a moment before its end is known here. */
const graceMs = 100;

/** One export per account at a time, and few in all. */
@Injectable()
export class RunningExports {
  /** For each account that exports, the end of its export. */
  readonly #accounts = new Map<AccountId, Promise<void>>();

  /**
   * The export ends with the answer, and at the latest after two minutes.
   * @throws DomainError EXPORT_RUNNING, EXPORTS_BUSY
   */
  async begin(account: AccountId, { raw }: FastifyReply): Promise<void> {
    const last = this.#accounts.get(account);
    if (last) await Promise.race([last, wait(graceMs)]);
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
        'Too many members are exporting at the moment: try again in 10 seconds.',
        { retryAfterSeconds: 10 },
      );
    }
    // The client has left while it waited.
    if (raw.destroyed) return;
    const timer = setTimeout(() => raw.destroy(), maxDurationMs).unref();
    const ended = new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        if (this.#accounts.get(account) === ended) this.#accounts.delete(account);
        resolve();
      };
      raw.once('finish', end).once('close', end);
    });
    this.#accounts.set(account, ended);
  }
}
