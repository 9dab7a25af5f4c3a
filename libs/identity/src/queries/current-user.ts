import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { signedOut } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { CurrentUser as CurrentUserAnswer } from '../contract.ts';
import { findAccount } from './find-account.ts';

export class CurrentUser extends Query<CurrentUserAnswer> {
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

  async execute({ accountId }: CurrentUser): Promise<CurrentUserAnswer> {
    const found = await findAccount(accountId, this.#databases.tapedeck, this.#store);
    if (!found) throw signedOut();
    const { emailVerified: _, email, createdAt, ...shown } = found;
    if (email === null) throw signedOut();
    return { ...shown, email, createdAt: createdAt.toISOString() };
  }
}
