/** In UTF-16 units. */
export const maxStatementNameLength = 60;
/** Of one admin. */
export const maxSavedStatements = 50;
