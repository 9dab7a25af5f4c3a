// Row by row and from the decisions' words alone: nothing here comes from an engine, and no engine
// uses anything of it. Slow on purpose.

const withoutAccents = (text: string): string => {
  if (!/[^\x00-\x7f]/.test(text)) return text.toLowerCase();
  let plain = '';
  for (const sign of text.normalize('NFKD')) {
    if (/\p{M}/u.test(sign)) continue;
    // Sign by sign, so that a sigma is never a final one; what lower case adds as marks goes as well.
    const lower = sign.toLowerCase();
    for (const part of lower) if (!/\p{M}/u.test(part)) plain += part === 'ς' ? 'σ' : part;
  }
  return plain.split('ß').join('ss');
};

const isAlone = (sign: string): boolean =>
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(sign);

/** Folded words in order (D8). */
export const cutWords = (text: string): readonly string[] => {
  const words: string[] = [];
  let word = '';
  const close = (): void => {
    if (word !== '') words.push(word);
    word = '';
  };
  for (const sign of withoutAccents(text)) {
    if (/[a-z0-9]/.test(sign)) word += sign;
    else if (sign <= '\x7f') close();
    else if (isAlone(sign)) {
      close();
      words.push(sign);
    } else if (/[\p{L}\p{N}]/u.test(sign)) word += sign;
    else close();
  }
  close();
  return words;
};

/** D15. */
export const plainSymbol = (symbol: string): string => {
  const [head = '', ...rest] = withoutAccents(symbol).split(':');
  const market = rest.length > 0 ? rest.join(':') : head;
  return Array.from(market, (sign) => ('_:/-'.includes(sign) || /\s/.test(sign) ? '' : sign)).join('');
};
