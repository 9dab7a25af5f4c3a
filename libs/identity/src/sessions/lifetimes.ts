/** In seconds. */
export type Lifetime = Readonly<{ idle: number; absolute: number }>;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

const member: Lifetime = { idle: 7 * day, absolute: 30 * day };
const privileged: Lifetime = { idle: 30 * minute, absolute: 12 * hour };

/** D26: who can do more is signed out sooner. */
export const lifetimeOf = (roles: readonly string[]): Lifetime =>
  roles.some((role) => role === 'admin' || role === 'support') ? privileged : member;

/** The longest that any session lives: how long browsers keep its cookie. */
export const longestSession = member.absolute;
