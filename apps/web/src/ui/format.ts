const units = ['', 'K', 'M', 'B'] as const;
export const missing = 'N/A';

const scaled = (size: number, decimals: number, unit: number): string =>
  unit < units.length - 1 && Number(size.toFixed(decimals)) >= 1_000
    ? scaled(size / 1_000, 1, unit + 1)
    : `${size.toFixed(decimals)}${units[unit]}`;

const isZero = (text: string): boolean => !/[1-9∞]/.test(text);

/** Thousands K, millions M, billions B with one decimal; negative values with a true minus sign. */
export const shorten = (value: number, decimals = 0): string => {
  const text = Number.isFinite(value) ? scaled(Math.abs(value), decimals, 0) : '∞';
  return value < 0 && !isZero(text) ? `−${text}` : text;
};

export const formatCount = (value: number | null): string => (value === null ? missing : shorten(value));

export const formatPercent = (value: number | null): string =>
  value === null ? missing : `${shorten(value, 1)}%`;

export const formatGain = (value: number | null): string => {
  const text = formatPercent(value);
  return value !== null && value > 0 && !isZero(text) ? `+${text}` : text;
};

export const formatRatio = (value: number | null): string => (value === null ? missing : shorten(value, 2));

/*
 * Whole numbers and dates stand on the first screens, and the first formatter of `Intl` costs a browser 40 ms: it reads
 * the data of all languages.
 */

/** Every digit, as in "4,612". */
export const formatWhole = (value: number): string => {
  const digits = Math.abs(value).toFixed(0);
  const text = digits.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return value < 0 && !isZero(digits) ? `−${text}` : text;
};

/** All decimals up to the tenth, as in "1,234.5". */
export const formatExact = (value: number): string =>
  value.toLocaleString('en-US', { maximumFractionDigits: 10 });

type Moment = Readonly<{ day: string; clock: string }>;

const momentOf = (time: number): Moment | null => {
  if (Number.isNaN(time)) return null;
  // `Thu, 04 Mar 2027 18:03:59 GMT`: a form that ECMAScript prescribes.
  const [, day, month, year, clock = ''] = new Date(time).toUTCString().split(' ');
  return { day: `${month} ${Number(day)}, ${year}`, clock };
};

/** `MMM d, yyyy`, in UTC. */
export const formatDay = (text: string | null): string => {
  const time = text === null ? Number.NaN : Date.parse(text);
  return momentOf(time)?.day ?? missing;
};

/** @example formatTime('2027-02-03T18:03:59.123Z') // 'Feb 3, 2027, 18:03' */
export const formatTime = (text: string): string => {
  const moment = momentOf(Date.parse(text));
  return moment ? `${moment.day}, ${moment.clock.slice(0, 5)}` : missing;
};

/** @example formatSecond('2027-02-03T18:03:59.123Z') // 'Feb 3, 2027, 18:03:59' */
export const formatSecond = (text: string): string => {
  const moment = momentOf(Date.parse(text));
  return moment ? `${moment.day}, ${moment.clock}` : missing;
};

const kibibyte = 1_024;

/**
 * The size of a file.
 *
 * @example
 * formatBytes(1_572_864) // '1.5 MB'
 */
export const formatBytes = (bytes: number): string => {
  if (bytes < kibibyte) return bytes === 1 ? '1 byte' : `${bytes} bytes`;
  const [size, unit] =
    bytes < kibibyte * kibibyte * 0.1 ? [bytes / kibibyte, 'KB'] : [bytes / kibibyte / kibibyte, 'MB'];
  return `${size.toFixed(1)} ${unit}`;
};

/** An amount in minor units: cents of a dollar, but yen themselves. */
export const formatMoney = (minorUnits: number, currency = 'usd'): string => {
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  return format.format(minorUnits / 10 ** digits).replace('-', '−');
};

/** Reads numeric text from the server, such as `"38.46"` or `"Infinity"`; null for anything else. */
export const parseNumeric = (text: string | null): number | null => {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text);
  return Number.isNaN(value) ? null : value;
};

/** Reads a typed number, such as `1,200`, `1.5k` or `−40 %`; null for anything else. */
export const parseTyped = (text: string): number | null => {
  const match = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+))([kmb]?)$/i.exec(
    text.replace(/[\s,%_]/g, '').replace(/−/g, '-'),
  );
  if (!match) return null;
  const power = { '': 1, k: 1e3, m: 1e6, b: 1e9 }[(match[2] ?? '').toLowerCase()] ?? 1;
  const value = Number(match[1]) * power;
  return Number.isFinite(value) ? Number(value.toPrecision(15)) + 0 : null;
};
