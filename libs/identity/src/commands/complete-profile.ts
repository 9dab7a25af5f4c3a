import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { accountDecider, type AccountCommand } from '../domain/decide.ts';
import { accountStream, identityEvents } from '../events.ts';

export class CompleteProfile extends Command<void> {
  readonly type = 'CompleteProfile';

  constructor(
    readonly accountId: AccountId,
    readonly discordEmail: string,
    readonly tradingViewUsername: string,
  ) {
    super();
  }
}

@CommandHandler(CompleteProfile)
export class CompleteProfileHandler implements ICommandHandler<CompleteProfile> {
  readonly #handle: Handle<AccountCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, accountDecider, identityEvents);
  }

  async execute(command: CompleteProfile): Promise<void> {
    await this.#handle(accountStream(command.accountId), command, requestCommandContext());
  }
}
