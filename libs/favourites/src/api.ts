import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AddFavouriteHandler } from './commands/add-favourite.ts';
import { FavouritesController } from './favourites.controller.ts';
import { ListFavouritesHandler } from './queries/list-favourites.ts';

@Module({
  imports: [CqrsModule],
  controllers: [FavouritesController],
  providers: [AddFavouriteHandler, ListFavouritesHandler],
})
export class FavouritesModule {}
