import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { accountDecider, type AccountCommand } from '../domain/decide.ts';
import { completeForgetting, type Forgetting } from '../effects/forgetting.ts';
import { accountStream, identityEvents } from '../domain/account.ts';

export class ForgetAccount extends Command<void> {
  readonly type = 'ForgetAccount';

  constructor(
    readonly accountId: AccountId,
    readonly confirmation: string,
  ) {
    super();
  }
}

@CommandHandler(ForgetAccount)
export class ForgetAccountHandler implements ICommandHandler<ForgetAccount> {
  readonly #handle: Handle<AccountCommand>;
  readonly #forgetting: Forgetting;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(DATABASES) { tapedeck: pool }: Databases) {
    this.#handle = handle(store, accountDecider, identityEvents);
    this.#forgetting = { store, pool };
  }

  /** The event comes first: other modules learn of the deletion by it, and an effect completes what is interrupted. */
  async execute(command: ForgetAccount): Promise<void> {
    await this.#handle(accountStream(command.accountId), command, requestCommandContext());
    await completeForgetting(this.#forgetting, command.accountId);
  }
}
