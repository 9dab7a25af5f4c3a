/** What a word of a sentence stands for: an event, an object of Stripe, an account or a strategy. */
export type Reference =
  | Readonly<{ kind: 'event'; id: string }>
  | Readonly<{ kind: 'stripe'; id: string }>
  | Readonly<{ kind: 'account'; id: string }>
  | Readonly<{ kind: 'strategy'; id: string }>;

/** Words that belong together: plain, the main clause, or a name of what they refer to. */
export type SentencePart = Readonly<{ text: string; isMain: boolean; reference: Reference | null }>;

export type Words = string | SentencePart | readonly Words[];

export const mainClause = (text: string): SentencePart => ({ text, isMain: true, reference: null });

/** The words as a name of the event. */
export const ofEvent = (text: string, { id }: Readonly<{ id: string }>): SentencePart => ({
  text,
  isMain: false,
  reference: { kind: 'event', id },
});

/** The words as a name of an object of Stripe. */
export const ofStripe = (text: string, id: string): SentencePart => ({
  text,
  isMain: false,
  reference: { kind: 'stripe', id },
});

export const ofAccount = (id: string): SentencePart => ({
  text: id,
  isMain: false,
  reference: { kind: 'account', id },
});

const flatten = (words: Words): readonly SentencePart[] => {
  if (typeof words === 'string') return [{ text: words, isMain: false, reference: null }];
  return 'text' in words ? [words] : words.flatMap(flatten);
};

const isPlain = ({ isMain, reference }: SentencePart): boolean => !isMain && reference === null;

/** One list, in which neighbouring plain words are one part. */
export const partsOf = (words: Words): readonly SentencePart[] =>
  flatten(words).reduce<readonly SentencePart[]>((parts, part) => {
    const last = parts.at(-1);
    return last && isPlain(last) && isPlain(part)
      ? [...parts.slice(0, -1), { ...last, text: last.text + part.text }]
      : [...parts, part];
  }, []);

export const textOf = (parts: readonly SentencePart[]): string => parts.map(({ text }) => text).join('');
