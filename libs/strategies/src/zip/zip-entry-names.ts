const unsafeCharacter = /[\p{C}\p{Zl}\p{Zp}\\]/u;
const drive = /^[A-Za-z]:/;

export type EntryName = Readonly<{ name: string; problem: string | null }>;

/** What can be shown of a name that is refused: nothing invisible, nothing endless. */
const printable = (name: string): string =>
  name.slice(0, 120).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });

const problemOf = (name: string, bytes: number, longest: number): string | null => {
  if (name === '') return 'it has no name';
  if (bytes > longest) return `its name is longer than ${longest} bytes`;
  if (unsafeCharacter.test(name)) return 'its name has a control character, an invisible one or a backslash';
  if (name.startsWith('/') || drive.test(name)) return 'its name is an absolute path';
  if (name.split('/').includes('..')) return 'its name leads out of the archive';
  return null;
};

/** An entry's name in NFC, and why it is refused; names never reach the disk, but are shown and compared. */
export const readName = (raw: Buffer, longest: number): EntryName => {
  let name: string;
  try {
    name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(raw).normalize('NFC');
  } catch {
    return { name: printable(raw.toString('latin1')), problem: 'its name is not UTF-8' };
  }
  const problem = problemOf(name, raw.length, longest);
  return problem === null ? { name, problem } : { name: printable(name), problem };
};

const clutter = new Set(['__macosx', 'thumbs.db', 'desktop.ini', 'ehthumbs.db', '$recycle.bin']);

/** What systems leave in archives: resource forks, thumbnails, hidden files. */
export const isClutter = (name: string): boolean =>
  name.split('/').some((part) => part.startsWith('.') || clutter.has(part.toLowerCase()));

export const isDirectoryName = (name: string): boolean => name.endsWith('/');
