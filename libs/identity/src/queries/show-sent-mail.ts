import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type EventStore } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { SentMailText } from '../contract.ts';
import type { SentMailRow } from '../projections/sent-mails.ts';

/** The text of a mail to the account. */
export class ShowSentMail extends Query<SentMailText> {
  constructor(
    readonly accountId: AccountId,
    readonly mailId: string,
  ) {
    super();
  }
}

/** Other texts are no ids, and some cannot be sent to a database. */
const idPattern = /^[\w-]{1,100}$/;

const textSql = 'select text from sent_mails where account_id = $1 and mail_id = $2 and has_text';

const noText = (): DomainError =>
  new DomainError('not-found', 'NO_SUCH_MAIL', 'There is no mail with this id whose text was kept.');

@QueryHandler(ShowSentMail)
export class ShowSentMailHandler implements IQueryHandler<ShowSentMail> {
  readonly #databases: Databases;
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#databases = databases;
    this.#store = store;
  }

  async execute({ accountId, mailId }: ShowSentMail): Promise<SentMailText> {
    if (!idPattern.test(mailId)) throw noText();
    const { rows } = await this.#databases.tapedeck.query<Pick<SentMailRow, 'text'>>(textSql, [
      accountId,
      mailId,
    ]);
    const [mail] = await unsealRows(this.#store, rows, ['text']);
    const text = mail && readable(mail.text, null);
    if (!text) throw noText();
    return { text };
  }
}
