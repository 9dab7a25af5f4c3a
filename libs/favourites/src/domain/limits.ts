export const maxTags = 20;
/** In UTF-16 units. */
export const maxTagLength = 40;
export const maxFavourites = 1_000;
