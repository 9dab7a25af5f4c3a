import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { SqlSchema } from '../contract.ts';
import { SQL_CONSOLE, type SqlConsoleService } from '../run/tokens.ts';

/** What statements can name: for the list beside the editor, and for completion. */
export class ShowSchema extends Query<SqlSchema> {}

/** Where there is no role of the console yet. */
const usualTables = ['strategies', 'strategies_parsed_simple', 'strategy_indicators'];

const schemaSql = `
  select c.relname as name,
         json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
                  order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_roles r on r.rolname = $1
   where c.relnamespace = to_regnamespace('read_models') and c.relkind in ('r', 'v', 'm', 'p')
     and case when r.oid is null then c.relname = any($2::text[]) else has_table_privilege(r.oid, c.oid, 'select') end
   group by 1 order by 1`;

const roleIn = (url = ''): string | null => {
  const [, user] = /^postgres(?:ql)?:\/\/([^:@/]+)/u.exec(url) ?? [];
  return user === undefined ? null : decodeURIComponent(user);
};

@QueryHandler(ShowSchema)
export class ShowSchemaHandler implements IQueryHandler<ShowSchema> {
  readonly #console: SqlConsoleService;

  constructor(@Inject(SQL_CONSOLE) service: SqlConsoleService) {
    this.#console = service;
  }

  async execute(): Promise<SqlSchema> {
    const { catalogue, readUrl } = this.#console.parts;
    const values = [roleIn(readUrl), usualTables];
    const { rows } = await catalogue.query<SqlSchema['tables'][number]>(schemaSql, values);
    return { tables: rows };
  }
}
