import { derivedId } from '@tapedeck/kernel';

/**
 * Pseudonyms: counting needs to know that two rows belong together, and nothing else. They cannot be turned back, name
 * nothing at Stripe, and are the same in every rebuild.
 */
export const figureKey = (of: 'member' | 'purchase' | 'invoice' | 'charge' | 'refund', id: string): string =>
  derivedId('figures', of, id);

export const figureKeyOrNull = (of: 'invoice' | 'charge', id: string | null): string | null =>
  id === null ? null : figureKey(of, id);
