import { Body, Controller, Delete, Get, Headers, Inject, Param, Post, Put, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { isoNow, type Clock } from '@tapedeck/kernel';
import {
  CurrentAccount,
  etagOf,
  NeedsFeature,
  RateLimited,
  ReadsFrom,
  Returns,
  SendsCommands,
  StreamCommand,
  versionOf,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { CLOCK } from '@tapedeck/platform/tokens';
import { strategyId } from '@tapedeck/strategies/contract';
import type { FastifyReply } from 'fastify';
import { AddFavourite } from './commands/add-favourite.ts';
import {
  AddFavouriteBody,
  ChangeTagsBody,
  Favourite,
  FavouriteChanged,
  FavouritesExportQuery,
  TagFavouritesBody,
  type FavouriteList,
} from './contract.ts';
import { favourites } from './domain/decide.ts';
import { favouritesStream, type Favourite as FavouriteState } from './domain/favourites.ts';
import { ExportFavourites } from './queries/export-favourites.ts';
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
  readonly #clock: Clock;

  constructor(commands: CommandBus, queries: QueryBus, @Inject(CLOCK) clock: Clock) {
    this.#commands = commands;
    this.#queries = queries;
    this.#clock = clock;
  }

  @Get()
  @ReadsFrom('favourites')
  @Returns(200, Favourite, { list: true, description: 'The newest first' })
  list(@CurrentAccount() account: RequestAccount): Promise<FavouriteList> {
    return this.#queries.execute(new ListFavourites(account.id));
  }

  @Get('export.csv')
  @NeedsFeature('csvExport')
  @RateLimited('export')
  @ReadsFrom('favourites')
  @Returns(200, undefined, { description: 'text/csv' })
  async export(
    @CurrentAccount() { id }: RequestAccount,
    @Query({ schema: FavouritesExportQuery }) parameters: FavouritesExportQuery,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const text = await this.#queries.execute(new ExportFavourites(id, parameters));
    const day = isoNow(this.#clock).slice(0, 10);
    void reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', `attachment; filename="tapedeck-favorites-${day}.csv"`)
      .header('cache-control', 'no-store')
      .send(text);
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
    const command = new AddFavourite(id, urlId, body.tags, body.addedAt);
    return changed(urlId, await this.#commands.execute(command), reply);
  }

  /** All or none of them, by one append. */
  @Post('tags')
  @NeedsFeature('favourites')
  @SendsCommands()
  @Returns(200, FavouriteChanged, { list: true, description: 'Those of the given favourites that exist' })
  async tagMany(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: TagFavouritesBody }) { add, remove, ...body }: TagFavouritesBody,
  ): Promise<readonly FavouriteChanged[]> {
    const urlIds = [...new Set(body.urlIds.map(strategyId))];
    const command = { type: 'TagFavourites', accountId: id, urlIds, add, remove } as const;
    const { present } = await this.#commands.execute(
      new StreamCommand(favourites, favouritesStream(id), command),
    );
    return urlIds.flatMap((urlId) => {
      const favourite = present.get(urlId);
      return favourite ? [{ urlId, tags: [...favourite.tags] }] : [];
    });
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
