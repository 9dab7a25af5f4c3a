import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { Commands } from '@tapedeck/platform/http';
import { EVENT_STORE } from '@tapedeck/platform/tokens';
import { savedSearchesDecider, type SavedSearchCommand } from '../domain/decide.ts';
import type { KeptSearch, SavedSearches } from '../domain/saved-searches.ts';
import { savedSearchEvents, savedSearchesStream } from '../events.ts';

/** Save, rename, look at or delete; answers with the search as it is then, undefined once it is deleted. */
export class ChangeSavedSearches extends Command<KeptSearch | undefined> {
  readonly command: SavedSearchCommand;

  constructor(command: SavedSearchCommand) {
    super();
    this.command = command;
  }
}

@CommandHandler(ChangeSavedSearches)
export class ChangeSavedSearchesHandler implements ICommandHandler<ChangeSavedSearches> {
  readonly #handle: Handle<SavedSearchCommand, SavedSearches>;
  readonly #commands: Commands;

  constructor(@Inject(EVENT_STORE) store: EventStore, commands: Commands) {
    this.#handle = handle(store, savedSearchesDecider, savedSearchEvents);
    this.#commands = commands;
  }

  async execute({ command }: ChangeSavedSearches): Promise<KeptSearch | undefined> {
    const stream = savedSearchesStream(command.accountId);
    const { state } = await this.#commands.run(this.#handle, stream, command);
    return state.get(command.searchId);
  }
}
