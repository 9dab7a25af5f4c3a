import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeSavedSearchesHandler } from './commands/change-saved-searches.ts';
import { NewMatches } from './new-matches.ts';
import { ListSavedSearchesHandler } from './queries/list-saved-searches.ts';
import { SavedSearchesController } from './saved-searches.controller.ts';

/** Needs the module of `@tapedeck/search-engine/api` beside it. */
@Module({
  imports: [CqrsModule],
  controllers: [SavedSearchesController],
  providers: [NewMatches, ChangeSavedSearchesHandler, ListSavedSearchesHandler],
})
export class SavedSearchesModule {}
