import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import { requestCommandContext } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { savedSearchesDecider, type SavedSearchCommand } from '../domain/decide.ts';
import { savedSearchesStream, savedSearchEvents, type SearchId } from '../domain/saved-searches.ts';
import { NewMatches } from '../new-matches.ts';

/** Its matches have been seen: only strategies added after now are new. */
export class SeeSearch extends Command<void> {
  readonly type = 'SeeSearch';

  constructor(
    readonly accountId: AccountId,
    readonly searchId: SearchId,
  ) {
    super();
  }
}

@CommandHandler(SeeSearch)
export class SeeSearchHandler implements ICommandHandler<SeeSearch> {
  readonly #handle: Handle<SavedSearchCommand>;
  readonly #newMatches: NewMatches;

  constructor(@Inject(EVENT_STORE) store: EventStore, newMatches: NewMatches) {
    this.#handle = handle(store, savedSearchesDecider, savedSearchEvents);
    this.#newMatches = newMatches;
  }

  async execute(command: SeeSearch): Promise<void> {
    const position = String(await this.#newMatches.position());
    const stream = savedSearchesStream(command.accountId);
    await this.#handle(stream, { ...command, position }, requestCommandContext());
  }
}
