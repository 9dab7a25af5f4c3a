import type { DomainError } from '@tapedeck/kernel';
import { rejectionError } from '../parsing/parse-record.ts';

/** As JSON in UTF-8. The tape takes events of 1 MiB, which have metadata and a hash, too. */
const maxRecordBytes = 1_000_000;

/** Why the record cannot be kept; null when it can. */
export const rejectionOfSize = (json: string): DomainError | null => {
  const bytes = Buffer.byteLength(json);
  if (bytes <= maxRecordBytes) return null;
  const [has, most] = [bytes, maxRecordBytes].map((count) => count.toLocaleString('en'));
  return rejectionError(
    'RECORD_TOO_LARGE',
    `It has ${has} bytes, and a strategy may have ${most}: shorten its texts.`,
  );
};
