import { mailFooter, type MailContent } from '@tapedeck/kernel';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character] ?? character);

const font = "'IBM Plex Sans', -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif";

/** On every element, since many programs leave out a style sheet. In the light colours; `darkRules` replaces them. */
const styles = {
  body: `margin: 0; padding: 32px 16px; background-color: #f6f4f1; color: #1f1b17; font-family: ${font}; font-size: 16px; line-height: 1.5;`,
  card: 'max-width: 544px; margin: 0 auto; padding: 32px 32px 20px; background-color: #fdfcfa; border: 1px solid #dddad5; border-radius: 6px; overflow-wrap: break-word;',
  name: 'margin: 0 0 24px; padding: 0 0 12px; border-bottom: 2px solid #b57407; color: #1f1b17; font-size: 15px; font-weight: 600; letter-spacing: 0.01em;',
  heading:
    'margin: 0 0 12px; color: #1f1b17; font-size: 22px; line-height: 1.3; font-weight: 600; text-wrap: balance;',
  paragraph: 'margin: 0 0 16px; color: #1f1b17;',
  facts: 'margin: 0 0 16px; padding: 0; border-top: 1px solid #dddad5;',
  // Where flex is unknown, a name and its value are below each other.
  fact: 'display: flex; justify-content: space-between; padding: 10px 0; border-bottom: 1px solid #dddad5;',
  term: 'margin: 0; padding: 0 16px 0 0; color: #56504a;',
  value: 'margin: 0; color: #1f1b17; text-align: right; font-variant-numeric: tabular-nums;',
  action: 'margin: 24px 0;',
  button:
    'display: inline-block; padding: 11px 20px; background-color: #f5af26; color: #1f1306; border: 1px solid #b57407; border-radius: 4px; font-weight: 600; text-decoration: none;',
  note: 'margin: 0 0 12px; color: #56504a; font-size: 14px;',
  address: 'margin: 0 0 12px; color: #56504a; font-size: 13px; overflow-wrap: anywhere;',
  link: 'color: #824f00; text-decoration: underline;',
  footer:
    'max-width: 544px; margin: 0 auto; padding: 16px 32px 0; color: #66615b; font-size: 13px; overflow-wrap: break-word;',
} as const;

const darkRules = `
@media (prefers-color-scheme: dark) {
  .mail { background-color: #120f0d !important; color: #eae8e3 !important; }
  .mail-card { background-color: #1a1714 !important; border-color: #34302c !important; }
  .mail-name { color: #eae8e3 !important; border-color: #f8b533 !important; }
  .mail-text { color: #eae8e3 !important; }
  .mail-quiet { color: #b3afa8 !important; }
  .mail-facts { border-color: #34302c !important; }
  .mail-button { background-color: #f8b533 !important; border-color: #f8b533 !important; color: #1f1306 !important; }
  .mail-link { color: #f3b94c !important; }
  .mail-footer { color: #98938c !important; }
}
@media (max-width: 480px) {
  .mail { padding: 16px 12px !important; }
  .mail-card { padding: 24px 20px 12px !important; }
  .mail-footer { padding: 16px 20px 0 !important; }
}`;

const paragraph = (text: string): string =>
  `<p class="mail-text" style="${styles.paragraph}">${escaped(text)}</p>`;

const note = (text: string): string => `<p class="mail-quiet" style="${styles.note}">${escaped(text)}</p>`;

const factsPart = (facts: NonNullable<MailContent['facts']>): string => {
  const rows = facts.map(
    ([name, value]) =>
      `<div class="mail-facts" style="${styles.fact}"><dt class="mail-quiet" style="${styles.term}">${escaped(name)}</dt><dd class="mail-text" style="${styles.value}">${escaped(value)}</dd></div>`,
  );
  return `<dl class="mail-facts" style="${styles.facts}">${rows.join('')}</dl>`;
};

/** A mail comes from outside of the browser, so its links open a page of their own. */
const linkTo = (url: string): string => `href="${escaped(url)}" target="_blank" rel="noopener noreferrer"`;

const buttonPart = ({ label, url }: NonNullable<MailContent['button']>): string =>
  `<p style="${styles.action}"><a class="mail-button" ${linkTo(url)} style="${styles.button}">${escaped(label)}</a></p>` +
  `<p class="mail-quiet" style="${styles.address}">Or open <a class="mail-link" ${linkTo(url)} style="${styles.link}">${escaped(url)}</a></p>`;

/**
 * The page of a mail: the product's name, a heading, the text, one button, a footer. Every value is escaped.
 *
 * @example
 * mailPage({ kind: 'hello', subject: 'Hello', heading: 'Hello', paragraphs: ['<b> is shown as it is typed.'] });
 */
export const mailPage = ({
  subject,
  heading,
  paragraphs,
  facts = [],
  button,
  notes = [],
}: MailContent): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>:root { color-scheme: light dark; }${darkRules}
</style>
</head>
<body class="mail" style="${styles.body}">
<main class="mail-card" style="${styles.card}">
<p class="mail-name" style="${styles.name}">Tapedeck</p>
<h1 class="mail-text" style="${styles.heading}">${escaped(heading)}</h1>
${[
  ...paragraphs.map(paragraph),
  ...(facts.length > 0 ? [factsPart(facts)] : []),
  ...(button ? [buttonPart(button)] : []),
  ...notes.map(note),
].join('\n')}
</main>
<footer class="mail-footer" style="${styles.footer}">${escaped(mailFooter)}</footer>
</body>
</html>
`;
