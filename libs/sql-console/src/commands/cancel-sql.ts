import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { endQuery } from '../run/run-statement.ts';
import { SQL_CONSOLE, type SqlConsoleService } from '../run/tokens.ts';

/** Cancels a query of one's own. */
export class CancelSql extends Command<void> {
  constructor(
    readonly accountId: AccountId,
    readonly queryId: string,
  ) {
    super();
  }
}

/** A query may be cancelled before the request that starts it has come this far, and before it has a connection. */
const startsWithinMs = 3_000;
/** Then its connection is ended. */
const cancelsWithinMs = 1_000;
const retryMs = 50;

// Not by `node:timers/promises`, whose time no test can replace.
const untilRetry = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, retryMs));

const notRunning = (): DomainError =>
  new DomainError('not-found', 'QUERY_NOT_RUNNING', 'No query of yours with this id is running.');

@CommandHandler(CancelSql)
export class CancelSqlHandler implements ICommandHandler<CancelSql> {
  readonly #console: SqlConsoleService;

  constructor(@Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#console = service;
  }

  /** Until the query is over: a signal that arrives between two of its statements cancels nothing. */
  async execute({ accountId, queryId }: CancelSql): Promise<void> {
    let cancelledAt: number | undefined;
    let seenAt = performance.now();
    for (;;) {
      const outcome = (await this.#console.newest(accountId)).get(queryId)?.outcome;
      if (outcome !== undefined && outcome !== 'running') {
        if (cancelledAt === undefined) throw notRunning();
        return;
      }
      const now = performance.now();
      const isSlow = cancelledAt !== undefined && now > cancelledAt + cancelsWithinMs;
      if (outcome === 'running' && (await endQuery(this.#console.parts, queryId, isSlow))) {
        cancelledAt ??= now;
        seenAt = now;
      }
      if (now > seenAt + startsWithinMs) throw notRunning();
      await untilRetry();
    }
  }
}
