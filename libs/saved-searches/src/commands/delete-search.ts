import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { savedSearchesDecider, type SavedSearchCommand } from '../domain/decide.ts';
import type { SearchId } from '../domain/saved-searches.ts';
import { savedSearchesStream, savedSearchEvents } from '../events.ts';

/** Deletes a saved search. */
export class DeleteSearch extends Command<void> {
  readonly type = 'DeleteSearch';

  constructor(
    readonly accountId: AccountId,
    readonly searchId: SearchId,
  ) {
    super();
  }
}

@CommandHandler(DeleteSearch)
export class DeleteSearchHandler implements ICommandHandler<DeleteSearch> {
  readonly #handle: Handle<SavedSearchCommand>;

  constructor(@Inject(EVENT_STORE) store: EventStore) {
    this.#handle = handle(store, savedSearchesDecider, savedSearchEvents);
  }

  async execute(command: DeleteSearch): Promise<void> {
    await this.#handle(savedSearchesStream(command.accountId), command, requestCommandContext());
  }
}
