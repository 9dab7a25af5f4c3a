import { Controller, Get, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CurrentAccount, ReadsFrom, Returns, type RequestAccount } from '@tapedeck/platform/http';
import { SentMailsPage, SentMailsQuery, SentMailText } from '../contract.ts';
import { ListSentMails } from '../queries/list-sent-mails.ts';
import { ShowSentMail } from '../queries/show-sent-mail.ts';

@Controller('api/account/mails')
export class SentMailsController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('sent_mails')
  @Returns(200, SentMailsPage, { description: 'Mails to this account, the newest first' })
  list(
    @CurrentAccount() { id }: RequestAccount,
    @Query({ schema: SentMailsQuery }) page: SentMailsQuery,
  ): Promise<SentMailsPage> {
    return this.#queries.execute(new ListSentMails(id, page));
  }

  @Get(':id')
  @ReadsFrom('sent_mails')
  @Returns(200, SentMailText)
  text(@CurrentAccount() { id }: RequestAccount, @Param('id') mailId: string): Promise<SentMailText> {
    return this.#queries.execute(new ShowSentMail(id, mailId));
  }
}
