import { DomainError } from '@tapedeck/kernel';

/**
 * The account's verified address: purchases are bound to it, so it must belong to the person.
 * @throws DomainError EMAIL_NOT_VERIFIED
 */
export const assertVerified = (email: string | null): string => {
  if (email !== null) return email;
  throw new DomainError(
    'forbidden',
    'EMAIL_NOT_VERIFIED',
    'Your sign-in provider has not verified your e-mail address: verify it there, then sign in again.',
  );
};
