import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import type pg from 'pg';
import type { SessionUser } from '../sessions/session-store.ts';

/** Ends a session of the account; sessions are rows, not events. */
export class EndSession extends Command<void> {
  constructor(
    readonly accountId: AccountId,
    readonly publicId: string,
  ) {
    super();
  }
}

/** Ends all sessions of the account but the current one. */
export class EndOtherSessions extends Command<void> {
  constructor(readonly current: Pick<SessionUser, 'accountId' | 'publicId'>) {
    super();
  }
}

const noSuchSession = (): DomainError =>
  new DomainError(
    'not-found',
    'NO_SUCH_SESSION',
    'There is no such session of yours: it may have ended already.',
  );

@CommandHandler(EndSession)
export class EndSessionHandler implements ICommandHandler<EndSession> {
  readonly #pool: pg.Pool;

  constructor(@Inject(DATABASES) { tapedeck }: Databases) {
    this.#pool = tapedeck;
  }

  async execute({ accountId, publicId }: EndSession): Promise<void> {
    const sql = 'delete from sessions where account_id = $1 and public_id::text = $2';
    const { rowCount } = await this.#pool.query(sql, [accountId, publicId]);
    if (rowCount === 0) throw noSuchSession();
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
