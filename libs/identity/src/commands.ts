import { dispatch, type Dispatch } from '@tapedeck/eventing';
import { plainMail, type AccountId, type MailContent } from '@tapedeck/kernel';
import { sentMails, sentMailsStream } from './domain/sent-mails.ts';

export type SentMail = Readonly<{ id: string; to: string; content: MailContent }>;

/**
 * What an effect returns once it has sent a mail to an account, so that its owner sees it. Of a mail with a secret only
 * `publicSubject` is recorded.
 *
 * @example
 * await mailer.send({ id: key, to, ...content });
 * return [recordSentMail(accountId, { id: key, to, content })];
 */
export const recordSentMail = (accountId: AccountId, { id, to, content }: SentMail): Dispatch => {
  const { kind, subject, publicSubject } = content;
  const hasText = publicSubject === undefined;
  const mail = {
    accountId,
    mailId: id,
    kind,
    sentTo: to,
    subject: publicSubject ?? subject,
    hasText,
    text: hasText ? plainMail(content) : null,
  };
  return dispatch(sentMails, sentMailsStream(accountId), { type: 'RecordSentMail', mail });
};
