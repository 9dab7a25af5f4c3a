/** What a mail says, without its form: the mailer makes a plain text and a page of it. */
export type MailContent = Readonly<{
  /** What kind of mail it is, such as `receipt`: never changes. */
  kind: string;
  subject: string;
  heading: string;
  paragraphs: readonly string[];
  /** Names and values, such as those of a receipt. */
  facts?: readonly (readonly [name: string, value: string])[];
  button?: Readonly<{ label: string; url: string }>;
  /** Paragraphs after the button. */
  notes?: readonly string[];
  /** The subject that may be shown later, of a mail with a secret: what else it says is not kept. */
  publicSubject?: string;
}>;

/** Under every mail. */
export const mailFooter = 'Tapedeck sent this e-mail because of your account or a purchase.';

/**
 * The plain text of a mail.
 *
 * @example
 * plainMail({ kind: 'hello', subject: 'Hello', heading: 'Hello', paragraphs: ['Welcome.'] });
 */
export const plainMail = ({ heading, paragraphs, facts = [], button, notes = [] }: MailContent): string => {
  const parts = [
    heading,
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.url}`] : []),
    ...notes,
    `Tapedeck\n${mailFooter}`,
  ];
  return `${parts.join('\n\n')}\n`;
};
