export type Place = Readonly<{ line: number; column: number }>;

/** Where PostgreSQL found an error: `position` counts characters of the trimmed statement, from 1. */
export const errorPlace = (text: string, position: number): Place => {
  const blank = text.length - text.trimStart().length;
  const before =
    text.slice(0, blank) +
    Array.from(text.slice(blank))
      .slice(0, position - 1)
      .join('');
  const lines = before.split('\n');
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
};
