import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { StrategyId } from '@tapedeck/strategies/contract';
import { favouritesDecider, type FavouriteCommand } from '../domain/decide.ts';
import { favouriteEvents, favouritesStream } from '../events.ts';

export class RemoveFavourite extends Command<void> {
  readonly type = 'RemoveFavourite';

  constructor(
    readonly accountId: AccountId,
    readonly urlId: StrategyId,
  ) {
    super();
  }
}

@CommandHandler(RemoveFavourite)
export class RemoveFavouriteHandler implements ICommandHandler<RemoveFavourite> {
  readonly #handle: Handle<FavouriteCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, favouritesDecider, favouriteEvents);
  }

  async execute(command: RemoveFavourite): Promise<void> {
    await this.#handle(favouritesStream(command.accountId), command, requestCommandContext());
  }
}
