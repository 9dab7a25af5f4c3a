/** Lines of a script from 1, both ends included. */
export type LineRange = Readonly<{ from: number; to: number }>;

const ordered = (a: number, b: number): LineRange => ({ from: Math.min(a, b), to: Math.max(a, b) });

/** A line that the script does not have is no line; an end beyond it is its last line. */
const within = ({ from, to }: LineRange, lineCount: number): LineRange | null =>
  from < 1 || from > lineCount ? null : { from, to: Math.min(to, lineCount) };

/** Reads `#L12` and `#L12-L20` (`#L12-20` too); null for anything else. */
export const rangeOfHash = (hash: string, lineCount: number): LineRange | null => {
  const [, first, last] = /^#L(\d{1,7})(?:-L?(\d{1,7}))?$/.exec(hash) ?? [];
  return first === undefined ? null : within(ordered(Number(first), Number(last ?? first)), lineCount);
};

/** Reads a typed `12` or `12-20`; null for anything else. */
export const rangeOfText = (text: string, lineCount: number): LineRange | null => {
  const [, first, last] = /^\s*L?(\d{1,7})(?:\s*[-–]\s*L?(\d{1,7}))?\s*$/i.exec(text) ?? [];
  return first === undefined ? null : within(ordered(Number(first), Number(last ?? first)), lineCount);
};

export const hashOf = ({ from, to }: LineRange): string => (from === to ? `#L${from}` : `#L${from}-L${to}`);

/** `12` or `12–20`, as it can be typed. */
export const rangeText = ({ from, to }: LineRange): string => (from === to ? String(from) : `${from}–${to}`);

/** The lines from those that are marked to this one, as with a click and Shift. */
export const extendedTo = (marked: LineRange | null, line: number): LineRange =>
  marked ? ordered(marked.from, line) : { from: line, to: line };
