import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { StrategyId } from '@tapedeck/strategies/contract';
import { favouritesDecider, type FavouriteCommand } from '../domain/decide.ts';
import type { Favourite, Favourites } from '../domain/favourites.ts';
import { favouriteEvents, favouritesStream } from '../events.ts';

/** Adds a strategy of the catalogue; answers with the favourite, undefined when it was removed again since. */
export class AddFavourite extends Command<Favourite | undefined> {
  readonly type = 'AddFavourite';

  constructor(
    readonly accountId: AccountId,
    readonly urlId: StrategyId,
    readonly tags: readonly string[],
  ) {
    super();
  }
}

@CommandHandler(AddFavourite)
export class AddFavouriteHandler implements ICommandHandler<AddFavourite> {
  readonly #handle: Handle<FavouriteCommand, Favourites>;
  readonly #databases: Databases;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(DATABASES) databases: Databases) {
    this.#handle = handle(store, favouritesDecider, favouriteEvents);
    this.#databases = databases;
  }

  async execute(command: AddFavourite): Promise<Favourite | undefined> {
    await this.#assertStrategyExists(command.urlId);
    const stream = favouritesStream(command.accountId);
    const { state } = await this.#handle(stream, command, requestCommandContext());
    return state.present.get(command.urlId);
  }

  async #assertStrategyExists(urlId: StrategyId): Promise<void> {
    const { rowCount } = await this.#databases.tapedeck.query(
      'select 1 from favourite_strategies where url_id = $1',
      [urlId],
    );
    if (rowCount) return;
    throw new DomainError(
      'not-found',
      'STRATEGY_NOT_FOUND',
      `There is no strategy ${urlId} in the catalogue.`,
    );
  }
}
