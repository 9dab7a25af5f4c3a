import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type pg from 'pg';

/** Ends a session of the account; sessions are rows, not events. */
export class EndSession extends Command<void> {
  constructor(
    readonly accountId: AccountId,
    readonly publicId: string,
  ) {
    super();
  }
}

const idPattern = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const noSuchSession = (): DomainError =>
  new DomainError('not-found', 'NO_SUCH_SESSION', 'You have no such session: it may have ended already.');

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  readonly #pool: pg.Pool;

  constructor(@Inject(DATABASES) { tapedeck }: Databases) {
    this.#pool = tapedeck;
  }

  async execute({ accountId, publicId }: EndSession): Promise<void> {
    if (!idPattern.test(publicId)) throw noSuchSession();
    const sql = 'delete from sessions where account_id = $1 and public_id = $2';
    const { rowCount } = await this.#pool.query(sql, [accountId, publicId]);
    if (rowCount === 0) throw noSuchSession();
  }
}
