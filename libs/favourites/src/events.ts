export type * from './domain/favourites.ts';
export { favouriteEvents, favouritesStream } from './domain/favourites.ts';
