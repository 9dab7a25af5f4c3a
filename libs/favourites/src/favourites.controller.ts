import { Body, Controller, Delete, Get, Headers, Param, Post, Put, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { strategyId } from '@tapedeck/strategies/contract';
import {
  CurrentAccount,
  etagOf,
  ReadsFrom,
  Returns,
  versionOf,
  type RequestAccount,
} from '@tapedeck/platform/http';
import type { FastifyReply } from 'fastify';
import { ChangeFavourites } from './commands/change-favourites.ts';
import { AddFavourite, ChangeTags, Favourite, FavouriteChanged, type FavouriteList } from './contract.ts';
import type { FavouriteCommand } from './domain/decide.ts';
import { ListFavourites } from './queries/list-favourites.ts';

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
  @Returns(201, FavouriteChanged)
  add(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: AddFavourite }) { urlId, tags }: AddFavourite,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FavouriteChanged> {
    return this.#change(
      { type: 'AddFavourite', accountId: account.id, urlId: strategyId(urlId), tags },
      reply,
    );
  }

  @Delete(':urlId')
  @Returns(204, undefined)
  async remove(@CurrentAccount() account: RequestAccount, @Param('urlId') urlId: string): Promise<void> {
    await this.#commands.execute(
      new ChangeFavourites({ type: 'RemoveFavourite', accountId: account.id, urlId: strategyId(urlId) }),
    );
  }

  @Put(':urlId/tags')
  @Returns(200, FavouriteChanged)
  changeTags(
    @CurrentAccount() account: RequestAccount,
    @Param('urlId') urlId: string,
    @Body({ schema: ChangeTags }) { tags }: ChangeTags,
    @Headers('if-match') ifMatch: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FavouriteChanged> {
    return this.#change(
      {
        type: 'ChangeFavouriteTags',
        accountId: account.id,
        urlId: strategyId(urlId),
        tags,
        expectedRevision: versionOf(ifMatch),
      },
      reply,
    );
  }

  async #change(command: FavouriteCommand, reply: FastifyReply): Promise<FavouriteChanged> {
    const favourite = await this.#commands.execute(new ChangeFavourites(command));
    if (favourite) void reply.header('etag', etagOf(favourite.revision));
    return { urlId: command.urlId, tags: [...(favourite?.tags ?? [])] };
  }
}
