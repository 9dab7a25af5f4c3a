import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { accountId, derivedId, type AccountId } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { requestCommandContext } from '@tapedeck/platform/http';
import { CONFIG, EVENT_STORE } from '@tapedeck/platform/tokens';
import { accountDecider, type AccountCommand, type Person } from '../domain/decide.ts';
import { accountStream, identityEvents } from '../events.ts';

/** Registers a signed-in person at the first sign-in; returns the id of the person's account. */
export class RegisterAccount extends Command<AccountId> {
  constructor(readonly person: Person) {
    super();
  }
}

@CommandHandler(RegisterAccount)
export class RegisterAccountHandler implements ICommandHandler<RegisterAccount> {
  readonly #handle: Handle<AccountCommand>;
  readonly #issuer: string;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(CONFIG) config: ApiConfig) {
    this.#handle = handle(store, accountDecider, identityEvents);
    // A provider that moves to another address remains the same provider under its name.
    this.#issuer = config.OIDC_ISSUER_NAME ?? config.OIDC_ISSUER;
  }

  async execute({ person }: RegisterAccount): Promise<AccountId> {
    const id = accountId(derivedId('account', this.#issuer, person.subject));
    await this.#handle(
      accountStream(id),
      { type: 'RegisterAccount', accountId: id, issuer: this.#issuer, ...person },
      requestCommandContext({ actor: { id, kind: 'member' } }),
    );
    return id;
  }
}
