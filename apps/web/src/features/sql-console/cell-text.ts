/** A value that does not fit a cell is shown by its beginning. */
const maxLength = 90;

const looksStructured = (value: string): boolean => /^[[{]/u.test(value) && /[\]}]$/u.test(value);

export const isClamped = (value: string | null): value is string =>
  value !== null &&
  (value.length > maxLength || value.includes('\n') || (looksStructured(value) && value.length > 2));

export type CellText = Readonly<{ text: string; isJson: boolean }>;

/** The whole value; JSON a line for each of its parts, without changing any number or order. */
export const cellText = (value: string): CellText => {
  if (!looksStructured(value)) return { text: value, isJson: false };
  try {
    const parsed: unknown = JSON.parse(value);
    const text = JSON.stringify(parsed, null, 2);
    // A number with more digits than a double has would be another one.
    const digits = (json: string): string => json.replaceAll(/\s/gu, '');
    return digits(text) === digits(value) ? { text, isJson: true } : { text: value, isJson: false };
  } catch {
    return { text: value, isJson: false };
  }
};
