// Written from the decisions alone: the oracle shares no code with any engine, and is simple rather than fast.

const folded = (text: string): string => {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  let result = '';
  for (const character of text.normalize('NFKD')) {
    if (/\p{M}/u.test(character)) continue;
    // One character at a time: the lower case of a sigma depends on its neighbours. It can also add marks.
    const lower = character.toLowerCase();
    for (const part of lower) if (!/\p{M}/u.test(part)) result += part === 'ς' ? 'σ' : part;
  }
  return result.split('ß').join('ss');
};

/** Scripts without spaces: each character is a word. */
const isWord = (character: string): boolean =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(character);

/** Folded words in order. */
export const cutWords = (text: string): readonly string[] => {
  const words: string[] = [];
  let word = '';
  const endWord = (): void => {
    if (word !== '') words.push(word);
    word = '';
  };
  for (const character of folded(text)) {
    if (/[a-z0-9]/.test(character)) word += character;
    else if (character <= '\x7f') endWord();
    else if (isWord(character)) {
      endWord();
      words.push(character);
    } else if (/[\p{L}\p{N}]/u.test(character)) word += character;
    else endWord();
  }
  endWord();
  return words;
};

/** Without the exchange before the colon, `_ : / -` and blanks. */
export const foldedSymbol = (symbol: string): string => {
  const [head = '', ...rest] = folded(symbol).split(':');
  const market = rest.length > 0 ? rest.join(':') : head;
  return Array.from(market, (character) =>
    '_:/-'.includes(character) || /\s/.test(character) ? '' : character,
  ).join('');
};
