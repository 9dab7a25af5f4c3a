import { Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeFavouritesHandler } from './commands/change-favourites.ts';
import { FavouritesController } from './favourites.controller.ts';
import { ListFavouritesHandler } from './queries/list-favourites.ts';

@Module({
  imports: [CqrsModule],
  controllers: [FavouritesController],
  providers: [ChangeFavouritesHandler, ListFavouritesHandler],
})
export class FavouritesModule {}
