/**
 * Text from a file as it can be shown on a terminal: control characters and those that are invisible or change the
 * direction of the text are escaped.
 *
 * @example
 * printable('a\u001b[2J'); // 'a\\u{1b}[2J'
 */
export const printable = (text: string): string =>
  text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `\\u{${code.toString(16)}}`;
  });
