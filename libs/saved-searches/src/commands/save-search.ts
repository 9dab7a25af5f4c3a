import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { savedSearchesDecider, type SavedSearchCommand } from '../domain/decide.ts';
import {
  type SavedSearches,
  savedSearchesStream,
  savedSearchEvents,
  type SearchDetails,
  type SearchId,
} from '../domain/saved-searches.ts';
import { NewMatches } from '../new-matches.ts';
import { canonicalQuery } from '../saved-query.ts';

/**
 * Saves a query of the explorer as it is now; answers with the search, undefined when it was deleted again since.
 * @throws DomainError INVALID_SEARCH, RANGE_REVERSED naming the parameter.
 */
export class SaveSearch extends Command<SearchDetails | undefined> {
  readonly type = 'SaveSearch';

  constructor(
    readonly accountId: AccountId,
    readonly searchId: SearchId,
    readonly name: string,
    readonly query: string,
  ) {
    super();
  }
}

@CommandHandler(SaveSearch)
export class SaveSearchHandler implements ICommandHandler<SaveSearch> {
  readonly #handle: Handle<SavedSearchCommand, SavedSearches>;
  readonly #newMatches: NewMatches;

  constructor(@Inject(EVENT_STORE) store: EventStore, newMatches: NewMatches) {
    this.#handle = handle(store, savedSearchesDecider, savedSearchEvents);
    this.#newMatches = newMatches;
  }

  async execute(command: SaveSearch): Promise<SearchDetails | undefined> {
    const { accountId, searchId } = command;
    const query = canonicalQuery(command.query);
    const position = String(await this.#newMatches.position());
    const { state } = await this.#handle(
      savedSearchesStream(accountId),
      { ...command, query, position },
      requestCommandContext(),
    );
    return state.get(searchId);
  }
}
