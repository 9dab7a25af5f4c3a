import {
  defineProjection,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import { sentMailEvents, type MailSent } from '../domain/sent-mails.ts';

export type SentMailRow = Readonly<{
  account_id: string;
  mail_id: string;
  kind: string;
  sent_to: Sealed<string>;
  subject: Sealed<string>;
  has_text: boolean;
  text: Sealed<string | null>;
  sent_at: Date;
  /** Decimal text. */
  position: string;
}>;

const changeOf = ({ data, metadata, position }: RecordedEvent<SealedEvent<MailSent>>): RowChange => ({
  op: 'put',
  table: 'sent_mails',
  key: { account_id: data.accountId, mail_id: data.mailId },
  row: {
    kind: data.kind,
    sent_to: data.sentTo,
    subject: data.subject,
    has_text: data.hasText,
    text: data.text,
    sent_at: metadata.occurredAt,
    position: String(position),
  },
});

/** The mails to every account, sealed. */
export const sentMails = defineProjection<MailSent>({
  name: 'sent_mails',
  version: 1,
  database: 'tapedeck',
  types: sentMailEvents,
  tables: [
    {
      name: 'sent_mails',
      key: ['account_id', 'mail_id'],
      columns: {
        account_id: 'uuid not null',
        mail_id: 'text not null',
        kind: 'text not null',
        sent_to: 'text not null',
        subject: 'text not null',
        has_text: 'boolean not null',
        text: 'text not null',
        sent_at: 'timestamptz not null',
        position: 'bigint not null',
      },
      indexes: ['(account_id, position desc)'],
    },
  ],
  fold: (events) => events.map(changeOf),
});
