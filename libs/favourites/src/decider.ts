/** The rules of the module, for programs that send many commands without its API. */
export { favouritesDecider } from './domain/decide.ts';
export { maxFavourites, maxTags } from './domain/limits.ts';
