import type { JsonValue } from '@tapedeck/kernel';
import { countOf } from '../domain/number-text.ts';
import { refusal } from './refusal.ts';

/** Sources write numbers as text and text as numbers; what means nothing is null. */
export const textOf = (value: unknown): string | null => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string' || value.trim() === '') return null;
  return value;
};

/** A short text such as a name or a date, without space around it. */
export const trimmedTextOf = (value: unknown): string | null => textOf(value)?.trim() ?? null;

export const wholeNumberOf = (value: unknown): number | null => {
  const text = typeof value === 'string' ? value.trim().replace(/^v(?=\d)/i, '') : textOf(value);
  return countOf(text);
};

const yes = new Set(['true', 'yes', 'y', '1', 'on']);
const no = new Set(['false', 'no', 'n', '0', 'off']);

export const booleanOf = (value: unknown): boolean | null => {
  const text = textOf(value)?.trim().toLowerCase() ?? '';
  if (yes.has(text)) return true;
  return no.has(text) ? false : null;
};

const deepest = 16;

/** JSON of any shape, at most so deep that every reader can walk it. */
const jsonOf = (value: unknown, depth: number): JsonValue => {
  if (depth > deepest)
    throw refusal('TOO_DEEP', `A list or object in it is nested more than ${deepest} deep.`);
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
export const listOf = (value: unknown): readonly JsonValue[] => {
  const parsed = typeof value === 'string' ? (parsedList(value.trim()) ?? value) : value;
  if (Array.isArray(parsed)) return parsed.map((part) => jsonOf(part, 1));
  if (parsed === null || parsed === undefined || parsed === '') return [];
  return [jsonOf(parsed, 1)];
};

const mostNames = 200;

/** Names, each once, as spelled: a list, or text with commas between them. */
export const namesOf = (value: unknown): readonly string[] => {
  const parsed = typeof value === 'string' ? (parsedList(value.trim()) ?? value.split(',')) : value;
  const parts = Array.isArray(parsed) ? parsed : [parsed];
  const names = parts.map(trimmedTextOf).filter((name) => name !== null);
  return [...new Set(names)].slice(0, mostNames);
};
