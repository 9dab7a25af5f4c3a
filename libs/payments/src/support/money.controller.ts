import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { accountId } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  RequestSignal,
  Returns,
  Roles,
  SendsCommands,
  type RequestAccount,
} from '@tapedeck/platform/http';
import {
  ActionOutcome,
  ActionPreview,
  ConfirmActionBody,
  MemberMoney,
  PreviewActionBody,
} from '../wire/money.ts';
import { ConfirmAction } from './confirm-action.ts';
import { PreviewAction } from './preview-action.ts';
import { ShowMoney } from './show-money.ts';

@Roles('support', 'admin')
@Controller('api/admin/members/:accountId/money')
export class MoneyController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('subscriptions')
  @Returns(200, MemberMoney, { description: 'What a member has bought, and what can be done about it' })
  show(@Param('accountId') id: string): Promise<MemberMoney> {
    return this.#queries.execute(new ShowMoney(accountId(id)));
  }

  @Post('preview')
  @ReadsFrom('subscriptions')
  @Returns(200, ActionPreview, { description: 'What an action would do to money and access' })
  preview(
    @Param('accountId') id: string,
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: PreviewActionBody }) { subscriptionId, action }: PreviewActionBody,
  ): Promise<ActionPreview> {
    return this.#queries.execute(new PreviewAction({ accountId: accountId(id), subscriptionId, action }, by));
  }

  @Post()
  @SendsCommands()
  @Returns(200, ActionOutcome, { description: 'What was shown is done, or proposed to another admin' })
  confirm(
    @Param('accountId') id: string,
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: ConfirmActionBody }) { previewId, reason }: ConfirmActionBody,
    @RequestSignal() signal: AbortSignal,
  ): Promise<ActionOutcome> {
    const confirmation = { previewId, reason, by, accountId: accountId(id), proposalId: null };
    return this.#commands.execute(new ConfirmAction(confirmation, signal));
  }
}
