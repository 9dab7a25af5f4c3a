import { setTimeout } from 'node:timers/promises';
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

/** A query may be cancelled before the request that starts it has come this far. */
const startsWithinMs = 1_000;
const retryMs = 50;

const notRunning = (): DomainError =>
  new DomainError('not-found', 'QUERY_NOT_RUNNING', 'No query of yours with this id is running.');

@CommandHandler(CancelSql)
export class CancelSqlHandler implements ICommandHandler<CancelSql> {
  readonly #console: SqlConsoleService;

  constructor(@Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#console = service;
  }

  async execute({ accountId, queryId }: CancelSql): Promise<void> {
    const until = performance.now() + startsWithinMs;
    while (!(await this.#tryCancel(accountId, queryId))) {
      if (performance.now() > until) throw notRunning();
      await setTimeout(retryMs);
    }
  }

  /** False while the query may only be about to start. */
  async #tryCancel(accountId: AccountId, queryId: string): Promise<boolean> {
    const outcome = (await this.#console.newest(accountId)).get(queryId)?.outcome;
    if (outcome === 'running') return endQuery(this.#console.parts, queryId, false);
    if (outcome !== undefined) throw notRunning();
    return false;
  }
}
