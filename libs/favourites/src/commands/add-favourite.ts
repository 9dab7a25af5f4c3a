import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, readEvents, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { strategyEvents, strategyStream, type StrategyId } from '@tapedeck/strategies/events';
import { favouritesDecider, type FavouriteCommand } from '../domain/decide.ts';
import { type Favourite, favouriteEvents, type Favourites, favouritesStream } from '../domain/favourites.ts';

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

const undefinedTable = '42P01';

const isInReadModel = async (urlId: StrategyId, { tapedeck }: Databases): Promise<boolean> => {
  try {
    const { rowCount } = await tapedeck.query('select 1 from favourite_strategies where url_id = $1', [
      urlId,
    ]);
    return rowCount !== null && rowCount > 0;
  } catch (error) {
    // The projector has not created the table yet.
    if ((error as { code?: string }).code === undefinedTable) return false;
    throw error;
  }
};

const isOnTape = async (urlId: StrategyId, store: EventStore): Promise<boolean> => {
  const last = (await readEvents(store, strategyStream(urlId), strategyEvents)).at(-1);
  return last !== undefined && last.type !== 'StrategyWithdrawn';
};

@CommandHandler(AddFavourite)
export class AddFavouriteHandler implements ICommandHandler<AddFavourite> {
  readonly #handle: Handle<FavouriteCommand, Favourites>;
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(EVENT_STORE) store: EventStore, @Inject(DATABASES) databases: Databases) {
    this.#handle = handle(store, favouritesDecider, favouriteEvents);
    this.#databases = databases;
    this.#store = store;
  }

  async execute(command: AddFavourite): Promise<Favourite | undefined> {
    await this.#assertStrategyExists(command.urlId);
    const stream = favouritesStream(command.accountId);
    const { state } = await this.#handle(stream, command, requestCommandContext());
    return state.present.get(command.urlId);
  }

  /** The read model may be behind what the member has seen: before a refusal the strategy's stream is read. */
  async #assertStrategyExists(urlId: StrategyId): Promise<void> {
    if (await isInReadModel(urlId, this.#databases)) return;
    if (await isOnTape(urlId, this.#store)) return;
    throw new DomainError(
      'not-found',
      'STRATEGY_NOT_FOUND',
      `There is no strategy ${urlId} in the catalogue.`,
    );
  }
}
