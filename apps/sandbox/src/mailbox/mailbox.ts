import { callbackify } from 'node:util';
import { DomainError } from '@tapedeck/kernel';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';

export type ReceivedMail = Readonly<{
  id: string;
  from: string;
  to: readonly string[];
  subject: string;
  text: string;
  /** The page of the mail; null for plain text alone. */
  html: string | null;
  receivedAt: number;
}>;

export type Mailbox = Readonly<{
  /** The newest first. */
  mails: () => readonly ReceivedMail[];
  find: (id: string) => ReceivedMail | undefined;
  clear: () => void;
  close: () => Promise<void>;
}>;

export type MailboxOptions = Readonly<{ port: number; host: string; now: () => number }>;

/** Kept in memory: mails contain personal data, and a sandbox needs none of yesterday. */
const maxMails = 500;
const maxMailBytes = 1_048_576;

const textOf = async (stream: NodeJS.ReadableStream): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
};

const parsedMail = async (
  source: string,
  recipients: readonly string[],
  now: number,
): Promise<ReceivedMail> => {
  const mail = await PostalMime.parse(source);
  return {
    // Without the brackets it can be part of an address.
    id: (mail.messageId ?? '').replace(/^<|>$/g, ''),
    from: mail.from?.address ?? '',
    to: recipients,
    subject: mail.subject ?? '',
    text: (mail.text ?? '').trim(),
    html: mail.html ?? null,
    receivedAt: now,
  };
};

/**
 * An SMTP server that delivers nothing and shows what it has taken. A mail with the id of an earlier one is that mail.
 * @throws DomainError MAIL_PORT_UNUSABLE
 */
export const openMailbox = async ({ port, host, now }: MailboxOptions): Promise<Mailbox> => {
  let mails: readonly ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    size: maxMailBytes,
    disableReverseLookup: true,
    onData: (stream, session, done) => {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      callbackify(async () => {
        const mail = await parsedMail(await textOf(stream), recipients, now());
        if (!mails.some(({ id }) => id === mail.id)) mails = [mail, ...mails].slice(0, maxMails);
      })(done);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error) =>
      reject(
        new DomainError(
          'conflict',
          'MAIL_PORT_UNUSABLE',
          `The mailbox cannot listen on port ${port}: ${error.message}. Choose another with SANDBOX_MAIL_PORT.`,
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  // Clients close connections as they like.
  server.on('error', () => {});
  return {
    mails: () => mails,
    find: (id) => mails.find((mail) => mail.id === id),
    clear: () => {
      mails = [];
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
};
