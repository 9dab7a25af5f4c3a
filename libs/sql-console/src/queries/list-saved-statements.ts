import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { SavedStatement } from '../contract.ts';
import type { SavedStatementRow } from '../projections/saved-statements.ts';

export class ListSavedStatements extends Query<readonly SavedStatement[]> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

const newestFirst = `
  select id, name, sql, saved_at from saved_sql_statements where account_id = $1 order by saved_at desc, id`;

@QueryHandler(ListSavedStatements)
export class ListSavedStatementsHandler implements IQueryHandler<ListSavedStatements> {
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId }: ListSavedStatements): Promise<readonly SavedStatement[]> {
    const { tapedeck } = this.#databases;
    const { rows: stored } = await tapedeck.query<SavedStatementRow>(newestFirst, [accountId]);
    const rows = await unsealRows(this.#store, stored, ['name', 'sql']);
    return rows.map(({ id, name, sql, saved_at }) => ({
      id,
      name: readable(name, ''),
      sqlQuery: readable(sql, ''),
      savedAt: saved_at.toISOString(),
    }));
  }
}
