import { refusal } from './refusal.ts';

const startsWith = (bytes: Buffer, ...mark: readonly number[]): boolean =>
  bytes.length >= mark.length && mark.every((byte, index) => bytes[index] === byte);

const encodingOf = (bytes: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (startsWith(bytes, 0xff, 0xfe, 0, 0) || startsWith(bytes, 0, 0, 0xfe, 0xff)) {
    throw refusal('NOT_UTF8', 'It is UTF-32: save it as UTF-8.');
  }
  if (startsWith(bytes, 0xff, 0xfe)) return 'utf-16le';
  return startsWith(bytes, 0xfe, 0xff) ? 'utf-16be' : 'utf-8';
};

/**
 * The text of a file in UTF-8, with or without byte order mark, or in UTF-16 with one.
 * @throws DomainError NOT_UTF8
 */
export const decodeText = (bytes: Buffer): string => {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const stated = encoding === 'utf-8' ? 'UTF-8' : 'UTF-16';
    throw refusal('NOT_UTF8', `It is not valid ${stated} text: save it as UTF-8.`);
  }
};
