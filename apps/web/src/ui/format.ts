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

const wholeNumber = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
/** Every digit, as in "4,612". */
export const formatWhole = (value: number): string => wholeNumber.format(value).replace('-', '−');

const day = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `MMM d, yyyy`, in UTC. */
export const formatDay = (text: string | null): string => {
  const time = text === null ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? missing : day.format(time);
};

const timeFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
});

/** @example formatTime('2027-02-03T18:03:59.123Z') // '3 Feb 2027, 18:03' */
export const formatTime = (time: string): string => timeFormat.format(new Date(time));

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
