import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { SaveSearchHandler } from './commands/save-search.ts';
import { SeeSearchHandler } from './commands/see-search.ts';
import { NewMatches } from './new-matches.ts';
import { ListSavedSearchesHandler } from './queries/list-saved-searches.ts';
import { SavedSearchesController } from './saved-searches.controller.ts';

/** Needs the module of `@tapedeck/search-engine/api` beside it. */
@Module({
  imports: [CqrsModule],
  controllers: [SavedSearchesController],
  providers: [NewMatches, SaveSearchHandler, SeeSearchHandler, ListSavedSearchesHandler],
})
export class SavedSearchesModule {}
