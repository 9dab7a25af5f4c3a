import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { accountId, derivedId, type AccountId } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { requestCommandContext } from '@tapedeck/platform/http';
import { CONFIG, EVENT_STORE } from '@tapedeck/platform/tokens';
import { accountDecider, type AccountCommand } from '../domain/decide.ts';
import { accountStream, identityEvents } from '../events.ts';
import type { Person } from '../sign-in/person.ts';

/** Registers a person who has signed in, the first time; answers with the person's account. */
export class RegisterAccount extends Command<AccountId> {
  readonly person: Person;

  constructor(person: Person) {
    super();
    this.person = person;
  }
}

@CommandHandler(RegisterAccount)
export class RegisterAccountHandler implements ICommandHandler<RegisterAccount> {
  readonly #handle: Handle<AccountCommand>;
  readonly #issuer: string;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(CONFIG) config: ApiConfig) {
    this.#handle = handle(store, accountDecider, identityEvents);
    // A provider that moves to another address stays the same provider under its name.
    this.#issuer = config.OIDC_ISSUER_NAME ?? config.OIDC_ISSUER;
  }

  async execute({ person }: RegisterAccount): Promise<AccountId> {
    const id = accountId(derivedId('account', this.#issuer, person.subject));
    await this.#handle(
      accountStream(id),
      { type: 'RegisterAccount', accountId: id, issuer: this.#issuer, ...person },
      requestCommandContext({ id, kind: 'member' }),
    );
    return id;
  }
}
