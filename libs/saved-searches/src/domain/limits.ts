/** In UTF-16 units. */
export const maxSearchNameLength = 60;
/** Of one account. */
export const maxSavedSearches = 50;
