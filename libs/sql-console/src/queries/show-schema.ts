import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { SqlSchema } from '../contract.ts';
import { SQL_CONSOLE, type SqlConsoleService } from '../run/tokens.ts';

/** What statements can name: for completion. */
export class ShowSchema extends Query<SqlSchema> {}

const tables = ['strategies', 'strategies_parsed_simple', 'strategy_indicators'];

const columnsSql = `
  select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
  from unnest($1::text[]) wanted join pg_class c on c.oid = to_regclass(wanted)
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  group by 1 order by 1`;

@QueryHandler(ShowSchema)
export class ShowSchemaHandler implements IQueryHandler<ShowSchema> {
  readonly #console: SqlConsoleService;

  constructor(@Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#console = service;
  }

  async execute(): Promise<SqlSchema> {
    const { catalogue } = this.#console.parts;
    const { rows } = await catalogue.query<SqlSchema['tables'][number]>(columnsSql, [tables]);
    return { tables: rows };
  }
}
