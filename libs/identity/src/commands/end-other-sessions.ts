import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type pg from 'pg';
import type { SessionUser } from '../sessions/session-store.ts';

/** Ends all sessions of the account but the current one. */
export class EndOtherSessions extends Command<void> {
  constructor(readonly current: Pick<SessionUser, 'accountId' | 'publicId'>) {
    super();
  }
}

@CommandHandler(EndOtherSessions)
export class EndOtherSessionsHandler implements ICommandHandler<EndOtherSessions> {
  readonly #pool: pg.Pool;

  constructor(@Inject(DATABASES) { tapedeck }: Databases) {
    this.#pool = tapedeck;
  }

  async execute({ current: { accountId, publicId } }: EndOtherSessions): Promise<void> {
    const sql = 'delete from sessions where account_id = $1 and public_id <> $2';
    await this.#pool.query(sql, [accountId, publicId]);
  }
}
