import { DomainError } from '@tapedeck/kernel';

/** A stream's version as a strong ETag: `"7"`. */
export const etagOf = (version: number): string => `"${version}"`;

/**
 * The version that `If-Match` requires; undefined when the header is absent or `*`.
 * @throws DomainError BAD_IF_MATCH
 */
export const versionOf = (ifMatch: string | undefined): number | undefined => {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const match = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(ifMatch);
  if (match) return Number(match[1]);
  throw new DomainError(
    'invalid',
    'BAD_IF_MATCH',
    'The header If-Match must be an ETag from an earlier answer, such as "3".',
  );
};
