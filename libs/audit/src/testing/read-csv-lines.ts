/** The cells of a CSV file; without quotes inside of quoted cells, which these files do not have. */
export const readCsvLines = (text: string): readonly (readonly string[])[] =>
  text
    .replace('\uFEFF', '')
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"(?<quoted>[^"]*)"|(?<plain>[^,"]*))/gu)].map(
        ({ groups }) => groups?.['quoted'] ?? groups?.['plain'] ?? '',
      ),
    );
