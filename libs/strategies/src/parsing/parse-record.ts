import { DomainError, type JsonValue } from '@tapedeck/kernel';
import * as z from 'zod';
import { isStrategyId } from '../domain/ids.ts';
import { countOf } from '../domain/number-text.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';

/** Why a record or file is rejected; the import as a whole continues. */
export const rejectionError = (code: string, reason: string): DomainError =>
  new DomainError('invalid', code, reason);

/** Sources write numbers as text and text as numbers; what has no meaning is null. */
const textOf = (value: unknown): string | null => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value;
};

/** A short text such as a name or a date, without space around it. */
const trimmedTextOf = (value: unknown): string | null => textOf(value)?.trim() ?? null;

const wholeNumberOf = (value: unknown): number | null => {
  const text = typeof value === 'string' ? value.trim().replace(/^v(?=\d)/i, '') : textOf(value);
  return countOf(text);
};

const yes = new Set(['true', 'yes', 'y', '1', 'on']);
const no = new Set(['false', 'no', 'n', '0', 'off']);

const booleanOf = (value: unknown): boolean | null => {
  const text = textOf(value)?.trim().toLowerCase() ?? '';
  if (yes.has(text)) return true;
  return no.has(text) ? false : null;
};

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthName = String.raw`(jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]*\.?`;

const yearFirst = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)/;
const monthFirst = new RegExp(String.raw`^${monthName} (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?!\d)`, 'i');
const dayFirst = new RegExp(String.raw`^(\d{1,2})(?:st|nd|rd|th)? ${monthName},? (\d{4})(?!\d)`, 'i');
const instant = /^\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:?\d{2})$/;
const epoch = /^\d{9,13}$/;
/** Smaller epochs are seconds. */
const minEpochMilliseconds = 100_000_000_000;

const minYear = 1900;
const maxYear = 2200;

const day = (year: number, month: number, date: number): string | null => {
  const at = new Date(Date.UTC(year, month - 1, date));
  const exists = at.getUTCMonth() === month - 1 && at.getUTCDate() === date;
  return exists && year >= minYear && year <= maxYear ? at.toISOString().slice(0, 10) : null;
};

const dayOfInstant = (milliseconds: number): string | null => {
  const at = new Date(milliseconds);
  return Number.isNaN(at.getTime()) ? null : day(at.getUTCFullYear(), at.getUTCMonth() + 1, at.getUTCDate());
};

const monthOf = (name: string): number => months.indexOf(name.toLowerCase().slice(0, 3)) + 1;

/**
 * The UTC day, as `2024-05-17`, of a date in one of the forms that sources use; null when it is ambiguous, like
 * `05/06/2024`, which is May in the USA and June in Europe.
 */
const dateOf = (value: unknown): string | null => {
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
  return dayOfInstant(number < minEpochMilliseconds ? number * 1_000 : number);
};

const maxDepth = 16;

/** JSON of any shape; its depth is limited, because later readers recurse. */
const jsonOf = (value: unknown, depth: number): JsonValue => {
  if (depth > maxDepth) {
    throw rejectionError('TOO_DEEP', `A list or object in it is nested more than ${maxDepth} deep.`);
  }
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : null;
  if (Array.isArray(value)) return value.map((part) => jsonOf(part, depth + 1));
  if (typeof value !== 'object' || value === null) return null;
  // fromEntries makes `__proto__` an ordinary key.
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, jsonOf(part, depth + 1)]));
};

const parsedList = (text: string): unknown => {
  if (!text.startsWith('[')) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A list of JSON values; a single value is a list of one. */
const listOf = (value: unknown): readonly JsonValue[] => {
  const parsed = typeof value === 'string' ? (parsedList(value.trim()) ?? value) : value;
  if (Array.isArray(parsed)) return parsed.map((part) => jsonOf(part, 1));
  if (parsed === null || parsed === undefined || parsed === '') return [];
  return [jsonOf(parsed, 1)];
};

const maxNames = 200;
const maxNameLength = 200;

/**
 * Names in their original spelling, each once: from a list, or from text with commas. What is longer than a name can be
 * is left out: a part of it would be another name.
 */
const namesOf = (value: unknown): readonly string[] => {
  const parsed = typeof value === 'string' ? (parsedList(value.trim()) ?? value.split(',')) : value;
  const parts = Array.isArray(parsed) ? parsed : [parsed];
  const names = parts
    .map(trimmedTextOf)
    .filter((name) => name !== null)
    .filter(({ length }) => length <= maxNameLength);
  return [...new Set(names)].slice(0, maxNames);
};

const field = <Value>(parse: (value: unknown) => Value): z.ZodType<Value> =>
  z.unknown().optional().transform(parse);

const prose = field(textOf);
const text = field(trimmedTextOf);
const whole = field(wholeNumberOf);
const flag = field(booleanOf);
const date = field(dateOf);
const names = field(namesOf);
const list = field(listOf);

const urlId = field((value) => {
  const id = trimmedTextOf(value);
  if (id === null) throw rejectionError('MISSING_URL_ID', 'It has no url_id.');
  if (isStrategyId(id)) return id;
  throw rejectionError(
    'BAD_URL_ID',
    `Its url_id ${JSON.stringify(id.slice(0, 40))} is not 8 letters or digits.`,
  );
});

const maxTitleLength = 500;

const title = field((value) => {
  const given = trimmedTextOf(value);
  if (given === null) throw rejectionError('MISSING_TITLE', 'It has no title.');
  if (given.length <= maxTitleLength) return given;
  throw rejectionError('TITLE_TOO_LONG', `Its title is longer than ${maxTitleLength} characters.`);
});

/** Other fields are ignored. */
const Record = z.object({
  url_id: urlId,
  title,
  author: text,
  author_profile: text,
  publication_date: date,
  pine_version: whole,
  likes: whole,
  views: whole,
  comments_count: whole,
  full_description: prose,
  how_it_works: prose,
  pine_script: prose,
  categories: names,
  timeframes: names,
  markets: names,
  symbol: text,
  timeframe: text,
  total_pandl: text,
  max_equity_drawdown: text,
  total_trades: text,
  profitable_trades: text,
  profit_factor: text,
  open_source: flag,
  code_available: flag,
  code_lines: whole,
  trading_range_start: date,
  trading_range_end: date,
  backtesting_range_start: date,
  backtesting_range_end: date,
  chart_type: text,
  currency: text,
  tick_size: text,
  precision: whole,
  strategy_inputs: list,
  initial_capital: text,
  order_size: text,
  pyramiding: whole,
  commission: text,
  slippage: whole,
  sharpe_ratio_all: text,
  sortino_ratio_all: text,
  profit_factor_long: text,
  profit_factor_short: text,
  margin_calls: whole,
  top_comments: list,
  related_strategies: list,
  scraped_date: text,
  source_url: text,
  status: text,
  scraper_version: text,
  is_public: flag,
}) satisfies z.ZodType<StrategyRecord>;

const unstorable = /\p{Surrogate}/u;

const rejectUnstorable = (name: string, value: unknown): void => {
  if (typeof value === 'string') {
    if (!value.includes('\0') && !unstorable.test(value)) return;
    const what = value.includes('\0') ? 'U+0000' : 'half of a surrogate pair';
    throw rejectionError(
      'TEXT_NOT_STORABLE',
      `Its ${name} holds ${what}, which cannot be stored: remove it.`,
    );
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    rejectUnstorable(name, key);
    rejectUnstorable(name, part);
  }
};

/**
 * Parses a record as sources write it: numbers as text and text as numbers, fields missing, dates in several
 * forms. A value that cannot be parsed is null; only a record that cannot be used is rejected.
 *
 * @throws DomainError NOT_A_RECORD, MISSING_URL_ID, BAD_URL_ID, MISSING_TITLE, TITLE_TOO_LONG,
 * TEXT_NOT_STORABLE, TOO_DEEP
 */
export const parseRecord = (value: unknown): StrategyRecord => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw rejectionError('NOT_A_RECORD', 'It is not a JSON object with the fields of a strategy.');
  }
  const record = Record.parse(value);
  for (const [name, part] of Object.entries(record)) rejectUnstorable(name, part);
  return record;
};

/** The url_id of a rejected record, for the report; null when it has none. */
export const urlIdOf = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null || !('url_id' in value)) return null;
  const id = trimmedTextOf(value.url_id);
  return id !== null && isStrategyId(id) ? id : null;
};
