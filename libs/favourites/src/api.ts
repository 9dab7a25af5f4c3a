import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddFavouriteHandler } from './commands/add-favourite.ts';
import { ChangeFavouriteTagsHandler } from './commands/change-favourite-tags.ts';
import { RemoveFavouriteHandler } from './commands/remove-favourite.ts';
import { FavouritesController } from './favourites.controller.ts';
import { ListFavouritesHandler } from './queries/list-favourites.ts';

@Module({
  imports: [CqrsModule],
  controllers: [FavouritesController],
  providers: [AddFavouriteHandler, RemoveFavouriteHandler, ChangeFavouriteTagsHandler, ListFavouritesHandler],
})
export class FavouritesModule {}
