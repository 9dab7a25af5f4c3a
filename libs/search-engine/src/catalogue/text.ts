const notAscii = /[^\x00-\x7f]/;
const asciiWord = /[a-z0-9]+/g;
// Scripts without spaces between words are split into single characters, so that a word inside a sentence is found.
const unspaced = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}';
const anyWord = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{N}])+`, 'gu');

/**
 * Folds the text of catalogue and query alike: resolves compatibility forms, removes marks, makes it lower case.
 *
 * @example
 * foldText('Média Móvel ①') // 'media movel 1'
 */
export const foldText = (text: string): string => {
  if (!notAscii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/ς/g, 'σ')
    .replace(/ß/g, 'ss');
};

/**
 * The folded words in order of appearance, including repetitions: runs of letters and digits.
 *
 * @example
 * wordsOf('PMax-SuperTrend v5') // ['pmax', 'supertrend', 'v5']
 */
export const wordsOf = (text: string): readonly string[] => {
  const pattern = notAscii.test(text) ? anyWord : asciiWord;
  return foldText(text).match(pattern) ?? [];
};

/**
 * Folds a market symbol for comparing prefixes: without the exchange before the colon, `_ : / -` and blanks.
 *
 * @example
 * foldSymbol('BINANCE:BTC_USDT') // 'btcusdt'
 */
export const foldSymbol = (symbol: string): string => {
  const folded = foldText(symbol);
  return folded.slice(folded.indexOf(':') + 1).replace(/[\s_:/-]+/g, '');
};
