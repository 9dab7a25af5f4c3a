const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML text whose values are escaped. */
export type Html = Readonly<{ html: string }>;

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const rendered = (value: string | Html | readonly Html[]): string => {
  if (typeof value === 'string') return escaped(value);
  return 'html' in value ? value.html : value.map((part) => part.html).join('');
};

/** A template whose values are escaped unless they are HTML themselves. */
export const html = (
  parts: TemplateStringsArray,
  ...values: readonly (string | Html | readonly Html[])[]
): Html => ({
  html: parts.reduce((text, part, index) => text + rendered(values[index - 1] ?? '') + part),
});
