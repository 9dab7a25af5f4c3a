import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { CurrentUser as CurrentUserAnswer } from '../contract.ts';
import { accountStream } from '../events.ts';
import { accounts, type AccountRow } from '../projections/accounts.ts';

export class CurrentUser extends Query<CurrentUserAnswer> {
  readonly accountId: AccountId;

  constructor(accountId: AccountId) {
    super();
    this.accountId = accountId;
  }
}

const read = `
  select account_id, email, email_verified, first_name, last_name, profile_image_url, created_at
    from accounts
   where account_id = $1`;

const undefinedTable = '42P01';

@QueryHandler(CurrentUser)
export class CurrentUserHandler implements IQueryHandler<CurrentUser> {
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId }: CurrentUser): Promise<CurrentUserAnswer> {
    const row = (await this.#row(accountId)) ?? (await this.#folded(accountId));
    if (!row || row.email === null) {
      throw new DomainError('unauthenticated', 'SIGNED_OUT', 'You are signed out: sign in again.');
    }
    return {
      id: row.account_id,
      firstName: row.first_name,
      lastName: row.last_name,
      email: row.email,
      discordEmail: null,
      tradingViewUsername: null,
      profileImageUrl: row.profile_image_url,
      createdAt: new Date(row.created_at).toISOString(),
    };
  }

  async #row(accountId: AccountId): Promise<AccountRow | undefined> {
    try {
      const { rows } = await this.#databases.tapedeck.query<AccountRow>(read, [accountId]);
      return rows[0];
    } catch (error) {
      // The projector has never run yet.
      if ((error as { code?: string }).code === undefinedTable) return undefined;
      throw error;
    }
  }

  /** The row as it will be: who has just signed in is somebody before the projection says so. */
  async #folded(accountId: AccountId): Promise<AccountRow | undefined> {
    const events = await this.#store.readStream(accountStream(accountId));
    if (events.length === 0) return undefined;
    const columns = accounts.fold(events).map((change) => (change.op === 'remove' ? {} : change.row));
    return Object.assign({ account_id: accountId }, ...columns) as AccountRow;
  }
}
