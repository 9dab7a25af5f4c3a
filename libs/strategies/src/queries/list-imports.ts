import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { DATABASES } from '@tapedeck/platform/tokens';
import type { LastImports } from '../contract.ts';
import type { ImportRow } from '../projections/imports.ts';

const maxImports = 20;

export class ListImports extends Query<LastImports> {}

const lastSql = `select * from strategy_imports order by requested_at desc limit ${maxImports}`;

/** Of programs, which are no accounts. */
const namesOfPrograms: Readonly<Record<string, string>> = {
  'command-line': 'npm run import',
  system: 'the product itself',
};

const isAccount = (actor: string): boolean => /^[0-9a-f-]{36}$/.test(actor);

@QueryHandler(ListImports)
export class ListImportsHandler implements IQueryHandler<ListImports> {
  readonly #pool: Databases['tapedeck'];
  readonly #names: AccountNames;

  constructor(@Inject(DATABASES) databases: Databases, names: AccountNames) {
    this.#pool = databases.tapedeck;
    this.#names = names;
  }

  async execute(): Promise<LastImports> {
    const { rows } = await this.#pool.query<ImportRow>(lastSql);
    const names = await this.#names.of(rows.map((row) => row.requested_by).filter(isAccount));
    const nameOf = (actor: string): string =>
      names.get(actor) ?? namesOfPrograms[actor] ?? (isAccount(actor) ? 'a deleted account' : actor);
    return {
      imports: rows.map((row) => ({
        jobId: row.import_id,
        name: row.name,
        requestedBy: nameOf(row.requested_by),
        requestedAt: row.requested_at.toISOString(),
        status: row.status,
        added: row.added,
        revised: row.revised,
        unchanged: row.unchanged,
        rejected: row.rejected,
        endedAt: row.ended_at?.toISOString() ?? null,
        reason: row.reason,
      })),
    };
  }
}
