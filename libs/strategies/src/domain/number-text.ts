/**
 * Reads numbers out of the texts that people and screens write: `−1,667,115.74 USDT (−166.71%)`, `1.2K`,
 * `6e-05%`, `(5.3)`. What cannot be read for certain is null.
 */
export type NumberReading = Readonly<{
  /** What `1,852` means: 1852 in amounts and counts, 1.852 in ratios, which are written with decimals. */
  loneComma?: 'grouping' | 'decimal';
}>;

const invisible = /[\u200B-\u200F\u2060\uFEFF\u00AD\u202A-\u202E\u2066-\u2069]/g;
const dashes = /[\u2010-\u2015\u2212\uFE58\uFE63]/g;
const infinity = /^([+-]?)(?:∞|inf(?:inity)?)$/i;

/** Longer texts are prose, not figures. */
const longest = 200;

/** One kind of minus, one kind of space, ASCII digits, nothing invisible; line ends stay. */
const plain = (text: string | null): string =>
  text === null || text.length > longest
    ? ''
    : text
        .normalize('NFKC')
        .replace(invisible, '')
        .replace(dashes, '-')
        .replace(/[^\S\n]+/g, ' ')
        .trim();

const digits = String.raw`(?:\d{1,3}(?:[ '’]\d{3})+(?!\d)(?:[.,]\d+)?|\d[\d.,]*|[.,]\d+)`;
const exponent = String.raw`(?:e[+-]?\d+)?`;
const magnitude = String.raw`(?: ?([kmbt])(?![a-z]))?`;
const currency = String.raw`(?:[$€£¥₹] ?)?`;
const numberPattern = String.raw`${currency}([+-]?) ?${currency}(${digits}${exponent})${magnitude}`;

const wholeNumber = new RegExp(String.raw`^${numberPattern}$`, 'i');
const leadingNumber = new RegExp(
  String.raw`^(?:[a-z]{3,5} )?${numberPattern}(?![\d.,])(?! ?[kmbt]? ?%)`,
  'i',
);
const accounting = new RegExp(String.raw`^\( ?${numberPattern} ?\)(?! ?%)`, 'i');
const percentInParentheses = new RegExp(String.raw`\( ?${numberPattern} ?% ?\)`, 'i');
const percent = new RegExp(String.raw`(?<![\d.,])${numberPattern} ?%`, 'i');

const factors: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9, t: 1e12 };

const withoutGrouping = (digitsText: string, loneComma: 'grouping' | 'decimal'): string => {
  const text = digitsText.replace(/[ '’]/g, '').replace(/[.,]+$/, '');
  const commas = text.split(',').length - 1;
  const dots = text.split('.').length - 1;
  if (commas > 0 && dots > 0) {
    return text.lastIndexOf(',') > text.lastIndexOf('.')
      ? text.replaceAll('.', '').replace(',', '.')
      : text.replaceAll(',', '');
  }
  if (commas > 1) return text.replaceAll(',', '');
  if (dots > 1) return text.replaceAll('.', '');
  if (commas === 0) return text;
  const thousands = /^[1-9]\d{0,2},\d{3}$/.test(text) && loneComma === 'grouping';
  return thousands ? text.replace(',', '') : text.replace(',', '.');
};

type Match = Readonly<{ value: number; sign: '+' | '-' | '' }>;

const valueOf = (match: RegExpExecArray | null, reading: NumberReading): Match | null => {
  if (!match) return null;
  const [, sign = '', token = '', suffix = ''] = match;
  const [mantissa = '', power = '0'] = token.toLowerCase().split('e');
  const size = Number(`${withoutGrouping(mantissa, reading.loneComma ?? 'grouping')}e${power}`);
  const value = size * (factors[suffix.toLowerCase()] ?? 1);
  if (!Number.isFinite(value)) return null;
  // Adding 0 turns −0 into 0.
  return { value: (sign === '-' ? -value : value) + 0, sign: sign as Match['sign'] };
};

/** A number that is the whole text, `∞` included: ratios such as profit factor and Sharpe. */
export const ratioOf = (text: string | null): number | null => {
  const cleaned = plain(text);
  const endless = infinity.exec(cleaned);
  if (endless) return endless[1] === '-' ? -Infinity : Infinity;
  const negative = accounting.exec(cleaned);
  if (negative && negative[0] === cleaned) {
    const inner = valueOf(negative, { loneComma: 'decimal' });
    return inner && -Math.abs(inner.value);
  }
  return valueOf(wholeNumber.exec(cleaned), { loneComma: 'decimal' })?.value ?? null;
};

/** The amount that a text begins with; a unit may follow. A per cent is not an amount. */
export const amountOf = (text: string | null): number | null => {
  const cleaned = plain(text);
  const negative = valueOf(accounting.exec(cleaned), {});
  if (negative) return -Math.abs(negative.value);
  return valueOf(leadingNumber.exec(cleaned), {})?.value ?? null;
};

/** A count: the whole number that a text begins with (`1,234`, `5 ticks`); never negative. */
export const countOf = (text: string | null): number | null => {
  const amount = amountOf(text);
  if (amount === null || amount < 0) return null;
  const count = Math.round(amount);
  return Number.isSafeInteger(count) ? count : null;
};

/**
 * The per cent of a text: that in parentheses, else the number before the first per cent sign.
 * Without such a sign it is null: 0.38 could be 0.38 % or 38 %. A per cent that is written without a sign
 * beside a negative amount is negative too.
 */
export const percentOf = (text: string | null): number | null => {
  const cleaned = plain(text);
  const found = valueOf(percentInParentheses.exec(cleaned) ?? percent.exec(cleaned), {});
  if (!found) return null;
  if (found.sign !== '' || found.value === 0) return found.value;
  return (amountOf(text) ?? 0) < 0 ? -found.value : found.value;
};
