import { invalid } from '../engine/failure.ts';

export type FormValue = string | Form;
/** Nested parameters; lists are records with the numbers 0, 1, … */
export type Form = Readonly<{ [name: string]: FormValue }>;

type Building = { [name: string]: string | Building };

const maxDepth = 8;
const emptyRecord = (): Building => Object.create(null) as Building;

const pathOf = (key: string): readonly string[] => {
  const bracket = key.indexOf('[');
  if (bracket <= 0) return [key];
  const rest = key.slice(bracket);
  if (!/^(?:\[[^[\]]*\])+$/.test(rest)) return [key];
  return [key.slice(0, bracket), ...rest.slice(1, -1).split('][')];
};

const assign = (target: Building, path: readonly string[], value: string): void => {
  let at = target;
  for (const [depth, part] of path.entries()) {
    const name = part === '' ? String(Object.keys(at).length) : part;
    if (depth === path.length - 1) {
      at[name] = value;
      return;
    }
    const next = at[name];
    const inner = typeof next === 'object' ? next : emptyRecord();
    at[name] = inner;
    at = inner;
  }
};

/** Parses Stripe's form encoding: `items[0][price]=price_pro_monthly`. */
export const parseForm = (text: string): Form => {
  const form = emptyRecord();
  for (const [key, value] of new URLSearchParams(text)) {
    const path = pathOf(key);
    if (path.length > maxDepth) throw invalid(`The parameter ${key} is nested too deep.`, key);
    assign(form, path, value);
  }
  return form;
};

export const isRecord = (value: FormValue | undefined): value is Form => typeof value === 'object';

export const textOf = (form: Form, name: string): string | undefined => {
  const value = form[name];
  if (value === undefined) return undefined;
  if (typeof value !== 'string') throw invalid(`Invalid string: ${name}`, name);
  return value;
};

/** An empty text unsets. */
export const clearable = (form: Form, name: string): string | null | undefined => {
  const value = textOf(form, name);
  return value === '' ? null : value;
};

export const requiredText = (form: Form, name: string): string => {
  const value = textOf(form, name);
  if (value === undefined || value === '')
    throw invalid(`Missing required param: ${name}.`, name, 'parameter_missing');
  return value;
};

export const integerOf = (form: Form, name: string): number | undefined => {
  const value = textOf(form, name);
  if (value === undefined || value === '') return undefined;
  if (!/^-?\d{1,15}$/.test(value))
    throw invalid(`Invalid integer: ${value}`, name, 'parameter_invalid_integer');
  return Number(value);
};

export const flagOf = (form: Form, name: string): boolean | undefined => {
  const value = textOf(form, name);
  if (value === undefined || value === '') return undefined;
  if (value !== 'true' && value !== 'false') throw invalid(`Invalid boolean: ${value}`, name);
  return value === 'true';
};

export const choiceOf = <T extends string>(
  form: Form,
  name: string,
  choices: readonly T[],
): T | undefined => {
  const value = textOf(form, name);
  if (value === undefined || value === '') return undefined;
  const found = choices.find((choice) => choice === value);
  if (found === undefined) throw invalid(`Invalid ${name}: must be one of ${choices.join(', ')}`, name);
  return found;
};

export const recordOf = (form: Form, name: string): Form | undefined => {
  const value = form[name];
  if (value === undefined || value === '') return undefined;
  if (!isRecord(value)) throw invalid(`Invalid object: ${name}`, name);
  return value;
};

export const listOf = (form: Form, name: string): readonly FormValue[] => {
  const value = form[name];
  if (value === undefined || value === '') return [];
  if (!isRecord(value)) throw invalid(`Invalid array: ${name}`, name);
  return Object.entries(value)
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([, each]) => each);
};

export const recordsOf = (form: Form, name: string): readonly Form[] => listOf(form, name).filter(isRecord);

export const textsOf = (form: Form, name: string): readonly string[] =>
  listOf(form, name).filter((each): each is string => typeof each === 'string');

/** Sent keys replace the known ones; an empty value removes its key, an empty text removes all. */
export const mergedMetadata = (
  form: Form,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> => {
  if (form['metadata'] === '') return {};
  const sent = Object.entries(recordOf(form, 'metadata') ?? {}).map(
    ([key, value]) => [key, typeof value === 'string' ? value : ''] as const,
  );
  if (sent.some(([key, value]) => key.length > 40 || value.length > 500))
    throw invalid('Metadata keys have up to 40 characters, and values up to 500.', 'metadata');
  return Object.fromEntries(
    [...Object.entries(before), ...sent].filter(
      ([key]) => sent.findLast(([other]) => other === key)?.[1] !== '',
    ),
  );
};

/** An absolute address; null when it is not sent. */
export const urlOf = (form: Form, name: string): string | null => {
  const text = clearable(form, name) ?? null;
  // Stripe's mark for the id of the session is no valid part of an address.
  if (text !== null && !URL.canParse(text.replaceAll('{CHECKOUT_SESSION_ID}', 'id')))
    throw invalid('Not a valid URL', name, 'url_invalid');
  return text;
};
