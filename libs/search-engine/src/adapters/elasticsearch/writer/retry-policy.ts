/** What becomes of one document of a bulk. */
export type Fate =
  /** It is in the index, or something newer is. */
  | 'done'
  /** The server has too much to do, or is just starting or stopping. */
  | 'again'
  /** Its index is not there any more. */
  | 'index gone'
  /** It will never be taken. */
  | 'refused';

const again = new Set([429, 502, 503, 504]);

export const fateOf = (status: number): Fate => {
  // 409: a newer version is there, so an older or repeated change has nothing left to do.
  if (status < 300 || status === 409) return 'done';
  if (status === 404) return 'index gone';
  return again.has(status) ? 'again' : 'refused';
};

const shortest = 100;
const longest = 5_000;

/** Milliseconds before the next attempt: doubling, and spread so that several writers do not come at once. */
export const waitBefore = (failures: number, random: () => number = Math.random): number =>
  Math.min(shortest * 2 ** Math.min(failures, 10), longest) * (0.5 + random() / 2);

/**
 * Pieces of a bulk: at most so many lines and characters each, and never none.
 *
 * @example
 * piecesOf(['aaa', 'bb', 'c'], { lines: 10, characters: 5 }) // [['aaa', 'bb'], ['c']]
 */
export const piecesOf = <Line extends Readonly<{ length: number }>>(
  lines: readonly Line[],
  most: Readonly<{ lines: number; characters: number }>,
): readonly (readonly Line[])[] => {
  const pieces: Line[][] = [];
  let characters = Infinity;
  for (const line of lines) {
    const current = pieces.at(-1);
    const fits = current && current.length < most.lines && characters + line.length <= most.characters;
    if (fits) current.push(line);
    else pieces.push([line]);
    characters = (fits ? characters : 0) + line.length;
  }
  return pieces;
};
