import { textOf } from './tolerant-values.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?`;

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const monthFirst = new RegExp(String.raw`^${monthName} (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)`, 'i');
const dayFirst = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)? ${monthName},? (\d{4})(?!\d)`, 'i');
const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/;
const epoch = /^\d{9,13}$/;
const epochMillisecondsFrom = 100_000_000_000;

const oldest = 1900;
const newest = 2200;

const day = (year: number, month: number, date: number): string | null => {
  const at = new Date(Date.UTC(year, month - 1, date));
  const real = at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
  return real && year >= oldest && year <= newest ? at.toISOString().slice(0, 10) : null;
};

const dayOfInstant = (milliseconds: number): string | null => {
  const at = new Date(milliseconds);
  return Number.isNaN(at.getTime()) ? null : day(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
};

const monthOf = (name: string): number => months.indexOf(name.toLowerCase().slice(0, 3)) + 1;

/**
 * The UTC day, as `2024-05-17`, of a date in one of the forms that sources use; null when it cannot be told.
 * `05/06/2024` cannot: it is two different days on the two sides of the Atlantic.
 */
export const dateOf = (value: unknown): string | null => {
  const text = textOf(value)?.trim().replace(/\s+/g, ' ') ?? '';
  if (instant.test(text)) return dayOfInstant(Date.parse(text));
  const byYear = yearFirst.exec(text);
  if (byYear) return day(Number(byYear[1]), Number(byYear[2]), Number(byYear[3]));
  const byMonth = monthFirst.exec(text);
  if (byMonth) return day(Number(byMonth[3]), monthOf(byMonth[1] ?? ''), Number(byMonth[2]));
  const byDay = dayFirst.exec(text);
  if (byDay) return day(Number(byDay[3]), monthOf(byDay[2] ?? ''), Number(byDay[1]));
  if (!epoch.test(text)) return null;
  const number = Number(text);
  return dayOfInstant(number < epochMillisecondsFrom ? number * 1_000 : number);
};
