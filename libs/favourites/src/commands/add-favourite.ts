import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, readEvents, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { CLOCK, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { strategyEvents, strategyStream, type StrategyId } from '@tapedeck/strategies/events';
import { favouritesDecider, type FavouriteCommand } from '../domain/decide.ts';
import { type Favourite, favouriteEvents, type Favourites, favouritesStream } from '../domain/favourites.ts';

/**
 * Adds a strategy of the catalogue, or takes its removal back; answers with the favourite, undefined when it was removed
 * again since.
 */
export class AddFavourite extends Command<Favourite | undefined> {
  constructor(
    readonly accountId: AccountId,
    readonly urlId: StrategyId,
    readonly tags: readonly string[],
    /** When it was added at first, of a favourite whose removal is taken back. */
    readonly addedAt?: string,
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

type OnTape = 'present' | 'withdrawn' | 'unknown';

const stateOnTape = async (urlId: StrategyId, store: EventStore): Promise<OnTape> => {
  const last = (await readEvents(store, strategyStream(urlId), strategyEvents)).at(-1);
  if (!last) return 'unknown';
  return last.type === 'StrategyWithdrawn' ? 'withdrawn' : 'present';
};

@CommandHandler(AddFavourite)
export class AddFavouriteHandler implements ICommandHandler<AddFavourite> {
  readonly #handle: Handle<FavouriteCommand, Favourites>;
  readonly #databases: Databases;
  readonly #store: EventStore;
  readonly #clock: Clock;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(DATABASES) databases: Databases,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#clock = clock;
    this.#handle = handle(store, favouritesDecider, favouriteEvents);
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId, urlId, tags, addedAt }: AddFavourite): Promise<Favourite | undefined> {
    await this.#assertStrategyExists(urlId, addedAt !== undefined);
    const about = { accountId, urlId, tags };
    const command: FavouriteCommand =
      addedAt === undefined
        ? { type: 'AddFavourite', ...about }
        : {
            type: 'RestoreFavourite',
            ...about,
            addedAt: new Date(addedAt).toISOString(),
            now: isoNow(this.#clock),
          };
    const { state } = await this.#handle(favouritesStream(accountId), command, requestCommandContext());
    return state.present.get(urlId);
  }

  /**
   * The read model may be behind what the member has seen: before a refusal the strategy's stream is read. A favourite
   * whose strategy was withdrawn can be removed, so that can be taken back too.
   */
  async #assertStrategyExists(urlId: StrategyId, mayBeWithdrawn: boolean): Promise<void> {
    if (await isInReadModel(urlId, this.#databases)) return;
    const found = await stateOnTape(urlId, this.#store);
    if (found === 'present' || (found === 'withdrawn' && mayBeWithdrawn)) return;
    throw new DomainError(
      'not-found',
      'STRATEGY_NOT_FOUND',
      `There is no strategy ${urlId} in the catalogue.`,
    );
  }
}
