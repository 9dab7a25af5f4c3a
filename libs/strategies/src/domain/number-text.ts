// Parses numbers in texts that people and screens write: `−1,667,115.74 USDT (−166.71%)`, `1.2K`, `6e-05%`, `(5.3)`.
// An ambiguous text gives null.

/** The meaning of the comma in `1,852`: 1852 in amounts and counts, 1.852 in ratios, which have decimals. */
type LoneComma = 'grouping' | 'decimal';

const invisible = /[\u200B-\u200F\u2060\uFEFF\u00AD\u202A-\u202E\u2066-\u2069]/g;
const dashes = /[\u2010-\u2015\u2212\uFE58\uFE63]/g;
const infinity = /^([+-]?)(?:∞|inf(?:inity)?)$/i;

/** Longer texts are prose, not figures. */
const maxLength = 200;

/** With one kind of minus and of space, ASCII digits and no invisible characters; line ends stay. */
const normalised = (text: string | null): string =>
  text === null || text.length > maxLength
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

const withoutGrouping = (digitsText: string, loneComma: LoneComma): string => {
  // Linear: a match begins only where no separator stands before.
  const text = digitsText.replace(/[ '’]/g, '').replace(/(?<![.,])[.,]+$/, '');
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

type ParsedNumber = Readonly<{ value: number; sign: '+' | '-' | '' }>;

const parseMatch = (
  match: RegExpExecArray | null,
  loneComma: LoneComma = 'grouping',
): ParsedNumber | null => {
  if (!match) return null;
  const [, sign = '', token = '', suffix = ''] = match;
  const [mantissa = '', power = '0'] = token.toLowerCase().split('e');
  const size = Number(`${withoutGrouping(mantissa, loneComma)}e${power}`);
  const value = size * (factors[suffix.toLowerCase()] ?? 1);
  if (!Number.isFinite(value)) return null;
  // Adding 0 turns −0 into 0.
  return { value: (sign === '-' ? -value : value) + 0, sign: sign as ParsedNumber['sign'] };
};

/** The number that is the whole text, `∞` included: ratios such as profit factor and Sharpe. */
export const ratioOf = (text: string | null): number | null => {
  const cleaned = normalised(text);
  const infinite = infinity.exec(cleaned);
  if (infinite) return infinite[1] === '-' ? -Infinity : Infinity;
  const negative = accounting.exec(cleaned);
  if (negative && negative[0] === cleaned) {
    const inner = parseMatch(negative, 'decimal');
    return inner && -Math.abs(inner.value);
  }
  return parseMatch(wholeNumber.exec(cleaned), 'decimal')?.value ?? null;
};

/** The amount that a text begins with; a unit may follow, but not a per cent sign. */
export const amountOf = (text: string | null): number | null => {
  const cleaned = normalised(text);
  const negative = parseMatch(accounting.exec(cleaned));
  if (negative) return -Math.abs(negative.value);
  return parseMatch(leadingNumber.exec(cleaned))?.value ?? null;
};

/** A count: the whole number that a text begins with (`1,234`, `5 ticks`); never negative. */
export const countOf = (text: string | null): number | null => {
  const amount = amountOf(text);
  if (amount === null || amount < 0) return null;
  const count = Math.round(amount);
  return Number.isSafeInteger(count) ? count : null;
};

/**
 * The per cent in a text: the one in parentheses, else the number before the first per cent sign.
 * Null without such a sign: 0.38 could be 0.38 % or 38 %. A per cent without a minus or plus is negative beside a
 * negative amount.
 */
export const percentOf = (text: string | null): number | null => {
  const cleaned = normalised(text);
  const found = parseMatch(percentInParentheses.exec(cleaned) ?? percent.exec(cleaned));
  if (!found) return null;
  if (found.sign !== '' || found.value === 0) return found.value;
  return (amountOf(text) ?? 0) < 0 ? -found.value : found.value;
};
