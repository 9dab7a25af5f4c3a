import { DomainError } from '@tapedeck/kernel';

/** Why one record or file is left out; the import as a whole goes on. */
export const refusal = (code: string, reason: string): DomainError =>
  new DomainError('invalid', code, reason);
