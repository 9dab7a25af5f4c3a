import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { membershipDecider, type MembershipCommand } from '../domain/decide.ts';
import { membershipEvents, membershipStream } from '../events.ts';

/** Ends all that was granted to an account; what is paid stays. */
export class RevokeComplimentaryAccess extends Command<void> {
  readonly type = 'RevokeComplimentaryAccess';

  constructor(
    readonly accountId: AccountId,
    readonly reason: string,
  ) {
    super();
  }
}

@CommandHandler(RevokeComplimentaryAccess)
export class RevokeComplimentaryAccessHandler implements ICommandHandler<RevokeComplimentaryAccess> {
  readonly #handle: Handle<MembershipCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, membershipDecider, membershipEvents);
  }

  async execute(command: RevokeComplimentaryAccess): Promise<void> {
    await this.#handle(membershipStream(command.accountId), command, requestCommandContext());
  }
}
