import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { Commands } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { favouritesDecider, type FavouriteCommand } from '../domain/decide.ts';
import type { Favourite, Favourites } from '../domain/favourites.ts';
import { favouriteEvents, favouritesStream } from '../events.ts';

/** Add, remove or retag; answers with the favourite as it is then, undefined once it is removed. */
export class ChangeFavourites extends Command<Favourite | undefined> {
  readonly command: FavouriteCommand;

  constructor(command: FavouriteCommand) {
    super();
    this.command = command;
  }
}

@CommandHandler(ChangeFavourites)
export class ChangeFavouritesHandler implements ICommandHandler<ChangeFavourites> {
  readonly #handle: Handle<FavouriteCommand, Favourites>;
  readonly #commands: Commands;
  readonly #databases: Databases;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(DATABASES) databases: Databases,
    commands: Commands,
  ) {
    this.#handle = handle(store, favouritesDecider, favouriteEvents);
    this.#databases = databases;
    this.#commands = commands;
  }

  async execute({ command }: ChangeFavourites): Promise<Favourite | undefined> {
    if (command.type === 'AddFavourite') await this.#mustExist(command.urlId);
    const stream = favouritesStream(command.accountId);
    const { state } = await this.#commands.run(this.#handle, stream, command);
    return state.present.get(command.urlId);
  }

  async #mustExist(urlId: string): Promise<void> {
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
