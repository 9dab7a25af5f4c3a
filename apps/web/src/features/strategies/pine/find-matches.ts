/** Offsets in the text. */
export type Match = Readonly<{ from: number; to: number }>;

/** More of them are not shown: a single letter occurs in a long script a hundred thousand times. */
export const maxMatches = 2_000;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** Where a text occurs, in whatever case; `isComplete` is false beyond `maxMatches`. */
export const findMatches = (
  text: string,
  wanted: string,
): Readonly<{ matches: readonly Match[]; isComplete: boolean }> => {
  if (wanted === '') return { matches: [], isComplete: true };
  // A lower-case copy may have another length, so offsets in it would be wrong.
  const pattern = new RegExp(escaped(wanted), 'giu');
  const matches: Match[] = [];
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (matches.length === maxMatches) return { matches, isComplete: false };
    matches.push({ from: index, to: index + found.length });
  }
  return { matches, isComplete: true };
};
