/** Something that the palette can do, with what it is found by. */
export type Findable = Readonly<{ name: string; group: string; keywords?: string | undefined }>;

const fold = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

const wordsOf = (text: string): readonly string[] =>
  fold(text)
    .split(/[^\p{L}\p{N}?/[\]]+/u)
    .filter(Boolean);

const noMatch = -1;

/** Lower is better: the name begins so, words of the name do, or other words do. */
const rankOf = (words: readonly string[], { name, group, keywords = '' }: Findable): number => {
  if (words.length === 0) return 0;
  const own = wordsOf(name);
  const beginsWord = (among: readonly string[]) => (word: string) =>
    among.some((one) => one.startsWith(word));
  if (fold(name).startsWith(words.join(' '))) return 0;
  if (words.every(beginsWord(own))) return 1;
  return words.every(beginsWord([...own, ...wordsOf(keywords), ...wordsOf(group)])) ? 2 : noMatch;
};

/** What fits the typed words, the best first; all of it, in its order, when nothing is typed. */
export const matchEntries = <Entry extends Findable>(
  text: string,
  all: readonly Entry[],
): readonly Entry[] => {
  const words = wordsOf(text);
  return all
    .map((entry, index) => ({ entry, index, rank: rankOf(words, entry) }))
    .filter(({ rank }) => rank !== noMatch)
    .sort((a, b) => a.rank - b.rank || a.index - b.index)
    .map(({ entry }) => entry);
};

/** Entries of one group together, the group of the best entry first. */
export const groupEntries = <Entry extends Findable>(
  entries: readonly Entry[],
): readonly (readonly [group: string, entries: readonly Entry[]])[] => {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) groups.set(entry.group, [...(groups.get(entry.group) ?? []), entry]);
  return [...groups];
};
