import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  etagOf,
  NeedsFeature,
  ReadsFrom,
  Returns,
  SendsCommands,
  StreamCommand,
  versionOf,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { strategyId } from '@tapedeck/strategies/contract';
import type { FastifyReply } from 'fastify';
import { AddFavourite } from './commands/add-favourite.ts';
import {
  AddFavouriteBody,
  ChangeTagsBody,
  Favourite,
  FavouriteChanged,
  type FavouriteList,
} from './contract.ts';
import { favourites } from './domain/decide.ts';
import { favouritesStream, type Favourite as FavouriteState } from './domain/favourites.ts';
import { ListFavourites } from './queries/list-favourites.ts';

const changed = (
  urlId: string,
  favourite: FavouriteState | undefined,
  reply: FastifyReply,
): FavouriteChanged => {
  if (favourite) void reply.header('etag', etagOf(favourite.revision));
  return { urlId, tags: [...(favourite?.tags ?? [])] };
};

@Controller('api/member/favorites')
export class FavouritesController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('favourites')
  @Returns(200, Favourite, { list: true, description: 'The newest first' })
  list(@CurrentAccount() account: RequestAccount): Promise<FavouriteList> {
    return this.#queries.execute(new ListFavourites(account.id));
  }

  @Post()
  @NeedsFeature('favourites')
  @SendsCommands()
  @Returns(201, FavouriteChanged)
  async add(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: AddFavouriteBody }) body: AddFavouriteBody,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FavouriteChanged> {
    const urlId = strategyId(body.urlId);
    return changed(urlId, await this.#commands.execute(new AddFavourite(id, urlId, body.tags)), reply);
  }

  /** Also after a downgrade: what is no longer wanted can always be removed. */
  @Delete(':urlId')
  @SendsCommands()
  @Returns(204, undefined)
  async remove(@CurrentAccount() { id }: RequestAccount, @Param('urlId') urlId: string): Promise<void> {
    const command = { type: 'RemoveFavourite', accountId: id, urlId: strategyId(urlId) } as const;
    await this.#commands.execute(new StreamCommand(favourites, favouritesStream(id), command));
  }

  @Put(':urlId/tags')
  @NeedsFeature('favourites')
  @SendsCommands()
  @Returns(200, FavouriteChanged)
  async changeTags(
    @CurrentAccount() { id }: RequestAccount,
    @Param('urlId') strategy: string,
    @Body({ schema: ChangeTagsBody }) { tags }: ChangeTagsBody,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FavouriteChanged> {
    const urlId = strategyId(strategy);
    const expectedRevision = versionOf(ifMatch);
    const command = { type: 'ChangeFavouriteTags', accountId: id, urlId, tags, expectedRevision } as const;
    const { present } = await this.#commands.execute(
      new StreamCommand(favourites, favouritesStream(id), command),
    );
    return changed(urlId, present.get(urlId), reply);
  }
}
