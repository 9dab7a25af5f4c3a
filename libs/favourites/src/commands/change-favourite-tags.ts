import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import type { StrategyId } from '@tapedeck/strategies/contract';
import { favouritesDecider, type FavouriteCommand } from '../domain/decide.ts';
import type { Favourite, Favourites } from '../domain/favourites.ts';
import { favouriteEvents, favouritesStream } from '../events.ts';

/** Replaces the tags; answers with the favourite, undefined when it was removed since. */
export class ChangeFavouriteTags extends Command<Favourite | undefined> {
  readonly type = 'ChangeFavouriteTags';

  constructor(
    readonly accountId: AccountId,
    readonly urlId: StrategyId,
    readonly tags: readonly string[],
    /** The revision that the change was made from; undefined means whatever it is now. */
    readonly expectedRevision: number | undefined,
  ) {
    super();
  }
}

@CommandHandler(ChangeFavouriteTags)
export class ChangeFavouriteTagsHandler implements ICommandHandler<ChangeFavouriteTags> {
  readonly #handle: Handle<FavouriteCommand, Favourites>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, favouritesDecider, favouriteEvents);
  }

  async execute(command: ChangeFavouriteTags): Promise<Favourite | undefined> {
    const stream = favouritesStream(command.accountId);
    const { state } = await this.#handle(stream, command, requestCommandContext());
    return state.present.get(command.urlId);
  }
}
