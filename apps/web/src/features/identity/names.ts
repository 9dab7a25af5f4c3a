import type { CurrentUser } from '@tapedeck/identity/contract';

type Named = Pick<CurrentUser, 'firstName' | 'lastName' | 'email'>;

export const displayName = ({ firstName, lastName, email }: Named): string =>
  [firstName, firstName && lastName].filter(Boolean).join(' ') || email.split('@')[0] || 'User';

/** For a greeting. */
export const greetingName = ({ firstName, email }: Named): string =>
  firstName || email.split('@')[0] || 'there';

const firstLetter = (text: string | null): string => [...(text ?? '').trim()][0]?.toUpperCase() ?? '';

export const initials = ({ firstName, lastName, email }: Named): string =>
  firstLetter(firstName) ? firstLetter(firstName) + firstLetter(lastName) : firstLetter(email) || 'U';
