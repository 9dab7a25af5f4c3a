import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { savedSearchesDecider, type SavedSearchCommand } from '../domain/decide.ts';
import type { SavedSearches, SearchDetails, SearchId } from '../domain/saved-searches.ts';
import { savedSearchesStream, savedSearchEvents } from '../events.ts';

/** Answers with the search, undefined when it was deleted since. */
export class RenameSearch extends Command<SearchDetails | undefined> {
  readonly type = 'RenameSearch';

  constructor(
    readonly accountId: AccountId,
    readonly searchId: SearchId,
    readonly name: string,
  ) {
    super();
  }
}

@CommandHandler(RenameSearch)
export class RenameSearchHandler implements ICommandHandler<RenameSearch> {
  readonly #handle: Handle<SavedSearchCommand, SavedSearches>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, savedSearchesDecider, savedSearchEvents);
  }

  async execute(command: RenameSearch): Promise<SearchDetails | undefined> {
    const stream = savedSearchesStream(command.accountId);
    const { state } = await this.#handle(stream, command, requestCommandContext());
    return state.get(command.searchId);
  }
}
