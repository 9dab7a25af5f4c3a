import { DomainError, messageOf, plainMail, type MailContent } from '@tapedeck/kernel';
import { createTransport } from 'nodemailer';
import { mailPage } from './mail-page.ts';

/** `id` identifies the mail: a repetition has the same, so that it can be recognised. */
export type Mail = Readonly<{ id: string; to: string }> & MailContent;

export type Mailer = Readonly<{
  /** @throws DomainError MAIL_UNAVAILABLE, MAIL_REFUSED when the server will not take it, however often it is tried. */
  send: (mail: Mail) => Promise<void>;
  close: () => void;
}>;

export type MailerOptions = Readonly<{
  /** Such as `smtps://user:password@mail.example.com`. */
  url: string;
  /** Such as `Tapedeck <billing@tapedeck.example>`. */
  from: string;
}>;

const timeouts = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 10_000 };

const failure = (error: unknown): DomainError => {
  const status = (error as { responseCode?: unknown }).responseCode;
  // SMTP answers 5xx to what it will never take.
  return typeof status === 'number' && status >= 500
    ? new DomainError('invalid', 'MAIL_REFUSED', `The mail server has refused a mail: ${status}.`)
    : new DomainError('unavailable', 'MAIL_UNAVAILABLE', 'The mail server takes no mail at the moment.', {
        cause: messageOf(error),
      });
};

/**
 * Sends mails by SMTP, each as plain text and as a page of the one template.
 *
 * @example
 * await mailer.send({ id: key, to: 'ada@example.com', ...content });
 */
export const createMailer = ({ url, from }: MailerOptions): Mailer => {
  const transport = createTransport({ url, pool: true, ...timeouts });
  const domain = /@([^\s>]+)/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ id, to, ...content }) => {
      try {
        // As an object, an address cannot be read as a list of several.
        const address = { name: '', address: to };
        const { subject } = content;
        const parts = { text: plainMail(content), html: mailPage(content) };
        await transport.sendMail({ messageId: `<${id}@${domain}>`, from, to: address, subject, ...parts });
      } catch (error) {
        throw failure(error);
      }
    },
    close: () => transport.close(),
  };
};
