import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { emptyConsole, evolve } from '../domain/console.ts';
import { sqlConsoleStream, type SqlConsoleEvent } from '../events.ts';
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

const notRunning = (): DomainError =>
  new DomainError('not-found', 'QUERY_NOT_RUNNING', 'No query of yours with this id is running.');

@CommandHandler(CancelSql)
export class CancelSqlHandler implements ICommandHandler<CancelSql> {
  readonly #store: EventStore;
  readonly #console: SqlConsoleService;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#store = store;
    this.#console = service;
  }

  async execute({ accountId, queryId }: CancelSql): Promise<void> {
    const events = await this.#store.readStream(sqlConsoleStream(accountId), { form: 'sealed' });
    // The stream contains events of this module only.
    const { running } = (events as unknown as readonly SqlConsoleEvent[]).reduce(evolve, emptyConsole);
    if (!running.has(queryId)) throw notRunning();
    await endQuery(this.#console.parts, queryId, false);
  }
}
