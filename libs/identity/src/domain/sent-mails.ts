import {
  commandTarget,
  defineEvents,
  type Decider,
  type DomainEvent,
  type Personal,
} from '@tapedeck/eventing/core';
import type { AccountId } from '@tapedeck/kernel';

/** A mail was handed to the mail server. */
export type MailSent = DomainEvent<
  'MailSent',
  {
    accountId: AccountId;
    /** The mail's own id, which a repetition has too. */
    mailId: string;
    /** Such as `receipt`. */
    kind: string;
    sentTo: Personal<string>;
    subject: Personal<string>;
    /** False for a mail with a secret. */
    hasText: boolean;
    /** The plain text; null where it is not kept. */
    text: Personal<string | null>;
  }
>;

export const sentMailEvents = defineEvents<MailSent>({
  MailSent: { version: 1, personal: ['sentTo', 'subject', 'text'], subject: 'accountId' },
});

export const sentMailsStream = (account: AccountId): string => `sentMails-${account}`;

export type RecordSentMail = Readonly<{ type: 'RecordSentMail'; mail: MailSent['data'] }>;

/** A repeated command is recognised by its id, so nothing needs to be remembered. */
const sentMailDecider: Decider<null, RecordSentMail, MailSent> = {
  initialState: null,
  decide: ({ mail }) => [{ type: 'MailSent', data: mail }],
  evolve: (state) => state,
};

export const sentMails = commandTarget(sentMailDecider, sentMailEvents);
