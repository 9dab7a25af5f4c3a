import { Body, Controller, Delete, Get, Headers, Param, Post, Put } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { derivedId, DomainError, newId, searchId } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  Returns,
  type RequestAccount,
  RequestSignal,
} from '@tapedeck/platform/http';
import { ChangeSavedSearches } from './commands/change-saved-searches.ts';
import { RenameSearch, SavedSearch, SaveSearch, SearchChanged, type SavedSearchList } from './contract.ts';
import type { SavedSearchCommand } from './domain/decide.ts';
import { NewMatches } from './new-matches.ts';
import { ListSavedSearches } from './queries/list-saved-searches.ts';
import { canonicalQuery } from './saved-query.ts';

@Controller('api/member/searches')
export class SavedSearchesController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #newMatches: NewMatches;

  constructor(commands: CommandBus, queries: QueryBus, newMatches: NewMatches) {
    this.#commands = commands;
    this.#queries = queries;
    this.#newMatches = newMatches;
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
  @Returns(201, SearchChanged)
  async save(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: SaveSearch }) { name, query }: SaveSearch,
    @Headers('idempotency-key') key: string | undefined,
  ): Promise<SearchChanged> {
    // The same key is the same search, so that a repetition is answered with the one that was saved.
    const id = searchId(key === undefined ? newId() : derivedId('saved search', account.id, key));
    const kept = canonicalQuery(query);
    const position = String(await this.#newMatches.position());
    return this.#change({
      type: 'SaveSearch',
      accountId: account.id,
      searchId: id,
      name,
      query: kept,
      position,
    });
  }

  @Put(':id')
  @Returns(200, SearchChanged)
  rename(
    @CurrentAccount() account: RequestAccount,
    @Param('id') id: string,
    @Body({ schema: RenameSearch }) { name }: RenameSearch,
  ): Promise<SearchChanged> {
    return this.#change({ type: 'RenameSearch', accountId: account.id, searchId: searchId(id), name });
  }

  @Post(':id/seen')
  @Returns(204, undefined)
  async see(@CurrentAccount() account: RequestAccount, @Param('id') id: string): Promise<void> {
    const about = { accountId: account.id, searchId: searchId(id) };
    const position = String(await this.#newMatches.position());
    await this.#commands.execute(new ChangeSavedSearches({ type: 'SeeSearch', ...about, position }));
  }

  @Delete(':id')
  @Returns(204, undefined)
  async delete(@CurrentAccount() account: RequestAccount, @Param('id') id: string): Promise<void> {
    const about = { accountId: account.id, searchId: searchId(id) };
    await this.#commands.execute(new ChangeSavedSearches({ type: 'DeleteSearch', ...about }));
  }

  async #change(command: SavedSearchCommand): Promise<SearchChanged> {
    const search = await this.#commands.execute(new ChangeSavedSearches(command));
    if (search) return { id: command.searchId, name: search.name, query: search.query };
    throw new DomainError('not-found', 'SEARCH_NOT_FOUND', 'This search has been deleted since.');
  }
}
