export * from './domain/decide.ts';
export * from './domain/favourites.ts';
