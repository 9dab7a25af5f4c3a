import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { derivedId, DomainError } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  requestCommandContext,
  RequestSignal,
  Returns,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { SaveSearch } from './commands/save-search.ts';
import { SeeSearch } from './commands/see-search.ts';
import {
  RenameSearchBody,
  SavedSearch,
  SaveSearchBody,
  SearchChanged,
  type SavedSearchList,
} from './contract.ts';
import { savedSearches } from './domain/decide.ts';
import { savedSearchesStream, searchId, type SearchDetails } from './domain/saved-searches.ts';
import { ListSavedSearches } from './queries/list-saved-searches.ts';

const changed = (id: string, search: SearchDetails | undefined): SearchChanged => {
  if (search) return { id, name: search.name, query: search.query };
  throw new DomainError('not-found', 'SEARCH_NOT_FOUND', 'This search has been deleted since.');
};

@Controller('api/member/searches')
export class SavedSearchesController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('saved_searches')
  @Returns(200, SavedSearch, { list: true, description: 'The newest first' })
  list(
    @CurrentAccount() account: RequestAccount,
    @RequestSignal() signal: AbortSignal,
  ): Promise<SavedSearchList> {
    return this.#queries.execute(new ListSavedSearches(account.id, { signal }));
  }

  @Post()
  @SendsCommands()
  @Returns(201, SearchChanged)
  async save(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: SaveSearchBody }) { name, query }: SaveSearchBody,
  ): Promise<SearchChanged> {
    // A repeated request has the same command id, so that it gets the search that was saved.
    const id = searchId(derivedId('saved search', requestCommandContext().commandId));
    return changed(id, await this.#commands.execute(new SaveSearch(account.id, id, name, query)));
  }

  @Put(':id')
  @SendsCommands()
  @Returns(200, SearchChanged)
  async rename(
    @CurrentAccount() account: RequestAccount,
    @Param('id') search: string,
    @Body({ schema: RenameSearchBody }) { name }: RenameSearchBody,
  ): Promise<SearchChanged> {
    const id = searchId(search);
    const command = { type: 'RenameSearch', accountId: account.id, searchId: id, name } as const;
    const stream = savedSearchesStream(account.id);
    const searches = await this.#commands.execute(new StreamCommand(savedSearches, stream, command));
    return changed(id, searches.get(id));
  }

  @Post(':id/seen')
  @SendsCommands()
  @Returns(204, undefined)
  see(@CurrentAccount() account: RequestAccount, @Param('id') id: string): Promise<void> {
    return this.#commands.execute(new SeeSearch(account.id, searchId(id)));
  }

  @Delete(':id')
  @SendsCommands()
  @Returns(204, undefined)
  async delete(@CurrentAccount() account: RequestAccount, @Param('id') id: string): Promise<void> {
    const command = { type: 'DeleteSearch', accountId: account.id, searchId: searchId(id) } as const;
    const stream = savedSearchesStream(account.id);
    await this.#commands.execute(new StreamCommand(savedSearches, stream, command));
  }
}
