import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeTopics } from '@tapedeck/platform/http';
import { AddFavouriteHandler } from './commands/add-favourite.ts';
import { favouritesTopic } from './contract.ts';
import { favouriteEvents, favouritesStream } from './domain/favourites.ts';
import { FavouritesController } from './favourites.controller.ts';
import { ExportFavouritesHandler } from './queries/export-favourites.ts';
import { ListFavouritesHandler } from './queries/list-favourites.ts';

@Module({
  imports: [CqrsModule],
  controllers: [FavouritesController],
  providers: [AddFavouriteHandler, ListFavouritesHandler, ExportFavouritesHandler],
})
export class FavouritesModule {
  constructor(topics: ChangeTopics) {
    topics.registerOfAccount({
      name: favouritesTopic,
      types: Object.keys(favouriteEvents),
      streamsOf: async (account) => [favouritesStream(account)],
    });
  }
}
