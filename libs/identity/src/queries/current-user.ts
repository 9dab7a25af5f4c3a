import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { CurrentUser as CurrentUserAnswer } from '../contract.ts';
import { findAccount } from './find-account.ts';

/** Null when the account of a session is deleted. */
export class CurrentUser extends Query<CurrentUserAnswer | null> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

@QueryHandler(CurrentUser)
export class CurrentUserHandler implements IQueryHandler<CurrentUser> {
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId }: CurrentUser): Promise<CurrentUserAnswer | null> {
    const found = await findAccount(accountId, this.#databases.tapedeck, this.#store);
    if (!found || found.email === null) return null;
    const { emailVerified: _, email, createdAt, ...shown } = found;
    return { ...shown, email, createdAt: createdAt.toISOString() };
  }
}
