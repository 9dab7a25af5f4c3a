import * as z from 'zod';
import { isStrategyId } from '../domain/ids.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { refusal } from './refusal.ts';
import { dateOf } from './tolerant-date.ts';
import { booleanOf, listOf, namesOf, textOf, trimmedTextOf, wholeNumberOf } from './tolerant-values.ts';

const longestTitle = 500;

const read = <Value>(reader: (value: unknown) => Value): z.ZodType<Value> =>
  z.unknown().optional().transform(reader);

const prose = read(textOf);
const text = read(trimmedTextOf);
const whole = read(wholeNumberOf);
const flag = read(booleanOf);
const date = read(dateOf);
const names = read(namesOf);
const list = read(listOf);

const urlId = read((value) => {
  const id = trimmedTextOf(value);
  if (id === null) throw refusal('MISSING_URL_ID', 'It has no url_id.');
  if (isStrategyId(id)) return id;
  throw refusal('BAD_URL_ID', `Its url_id ${JSON.stringify(id.slice(0, 40))} is not 8 letters or digits.`);
});

const title = read((value) => {
  const given = trimmedTextOf(value);
  if (given === null) throw refusal('MISSING_TITLE', 'It has no title.');
  if (given.length <= longestTitle) return given;
  throw refusal('TITLE_TOO_LONG', `Its title is longer than ${longestTitle} characters.`);
});

/** Fields that are not named here are ignored. */
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

const refuseUnstorable = (field: string, value: unknown): void => {
  if (typeof value === 'string') {
    if (!value.includes('\0') && !unstorable.test(value)) return;
    const what = value.includes('\0') ? 'U+0000' : 'half of a surrogate pair';
    throw refusal('TEXT_NOT_STORABLE', `Its ${field} holds ${what}, which cannot be stored: remove it.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    refuseUnstorable(field, key);
    refuseUnstorable(field, part);
  }
};

/**
 * Reads a record as sources write it: numbers as text and the other way round, fields missing, dates in
 * several forms. What cannot be read is null; only what makes a record unusable refuses it.
 *
 * @throws DomainError NOT_A_RECORD, MISSING_URL_ID, BAD_URL_ID, MISSING_TITLE, TITLE_TOO_LONG,
 * TEXT_NOT_STORABLE, TOO_DEEP
 */
export const readRecord = (value: unknown): StrategyRecord => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refusal('NOT_A_RECORD', 'It is not a JSON object with the fields of a strategy.');
  }
  const record = Record.parse(value);
  for (const [field, part] of Object.entries(record)) refuseUnstorable(field, part);
  return record;
};

/** The url_id of a record that may be refused, for the report. */
export const urlIdOf = (value: unknown): string | null => {
  if (typeof value !== 'object' || value === null || !('url_id' in value)) return null;
  const id = trimmedTextOf(value.url_id);
  return id !== null && isStrategyId(id) ? id : null;
};
