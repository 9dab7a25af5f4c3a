import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { SqlHistory } from '../contract.ts';
import { SQL_CONSOLE, type SqlConsoleService } from '../run/tokens.ts';

/** The newest statements of an admin, from the admin's own stream. */
export class ShowHistory extends Query<SqlHistory> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

@QueryHandler(ShowHistory)
export class ShowHistoryHandler implements IQueryHandler<ShowHistory> {
  readonly #store: EventStore;
  readonly #console: SqlConsoleService;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#store = store;
    this.#console = service;
  }

  async execute({ accountId }: ShowHistory): Promise<SqlHistory> {
    const statements = [...(await this.#console.newest(accountId)).values()];
    const unsealed = await unsealRows(this.#store, statements, ['sqlQuery', 'reason']);
    const entries = unsealed.map(({ sqlQuery, reason, ...entry }) => ({
      ...entry,
      // A forgotten one is no text.
      sqlQuery: readable(sqlQuery, null),
      reason: reason === null ? null : (readable(reason, null) ?? null),
    }));
    return { entries: entries.reverse() };
  }
}
