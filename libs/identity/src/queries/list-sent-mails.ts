import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { SentMailsPage, SentMailsQuery } from '../contract.ts';
import type { SentMailRow } from '../projections/sent-mails.ts';

export class ListSentMails extends Query<SentMailsPage> {
  constructor(
    readonly accountId: AccountId,
    readonly page: SentMailsQuery,
  ) {
    super();
  }
}

const newestFirst = `
  select mail_id, kind, sent_to, subject, has_text, sent_at, position from sent_mails
   where account_id = $1 and position < coalesce($2::bigint, 9223372036854775807)
   order by position desc limit $3`;

type Row = Omit<SentMailRow, 'account_id' | 'text'>;

@QueryHandler(ListSentMails)
export class ListSentMailsHandler implements IQueryHandler<ListSentMails> {
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId, page: { before, limit } }: ListSentMails): Promise<SentMailsPage> {
    const values = [accountId, before ?? null, limit + 1];
    const { rows } = await this.#databases.tapedeck.query<Row>(newestFirst, values);
    const page = rows.slice(0, limit);
    const mails = await unsealRows(this.#store, page, ['sent_to', 'subject']);
    return {
      mails: mails.map((row) => ({
        id: row.mail_id,
        kind: row.kind,
        sentAt: row.sent_at.toISOString(),
        sentTo: readable(row.sent_to, null),
        subject: readable(row.subject, null),
        hasText: row.has_text,
      })),
      next: rows.length > limit ? (page.at(-1)?.position ?? null) : null,
    };
  }
}
