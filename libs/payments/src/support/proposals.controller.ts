import { Body, Controller, Get, Inject, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { readStates, type EventStore, type ReadStream } from '@tapedeck/eventing';
import { parseUuid } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  requestCommandContext,
  RequestSignal,
  Returns,
  Roles,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { CONFIG, EVENT_STORE } from '@tapedeck/platform/tokens';
import { subscriptions } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import type { PaymentsApiConfig } from '../settings.ts';
import {
  AbandonBody,
  ActionOutcome,
  ActionPreview,
  ConfirmActionBody,
  MoneyProposals,
  moneyRoutes,
  ProposalBody,
  ProposalsQuery,
  RejectProposalBody,
} from '../wire/money.ts';
import { ConfirmAction } from './confirm-action.ts';
import { ListProposals } from './list-proposals.ts';
import { PreviewAction } from './preview-action.ts';
import { proposedAction } from './proposed-action.ts';

const proposalIdOf = (id: string): string => parseUuid('proposal id', id);

@Roles('support', 'admin')
@Controller()
export class ProposalsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #read: ReadStream;
  readonly #config: PaymentsApiConfig;

  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CONFIG) config: PaymentsApiConfig,
  ) {
    this.#config = config;
    this.#commands = commands;
    this.#queries = queries;
    this.#read = readStates(store);
  }

  @Get(moneyRoutes.proposals)
  @ReadsFrom('money_proposals')
  @Returns(200, MoneyProposals, { description: 'Actions of support that wait for another admin' })
  list(
    @CurrentAccount() reader: RequestAccount,
    @Query({ schema: ProposalsQuery }) { accountId }: ProposalsQuery,
  ): Promise<MoneyProposals> {
    return this.#queries.execute(new ListProposals(reader, accountId ?? null));
  }

  @Roles('admin')
  @Post(moneyRoutes.previewProposal(':id'))
  @ReadsFrom('subscriptions')
  @Returns(200, ActionPreview, { description: 'What a proposed action would do now' })
  async preview(
    @Param('id') id: string,
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: ProposalBody }) { subscriptionId }: ProposalBody,
  ): Promise<ActionPreview> {
    const proposalId = proposalIdOf(id);
    const wanted = await proposedAction(this.#read, subscriptionId, proposalId);
    return this.#queries.execute(new PreviewAction(wanted, by, proposalId));
  }

  @Roles('admin')
  @Post(moneyRoutes.approve(':id'))
  @SendsCommands()
  @Returns(200, ActionOutcome, { description: 'What was shown is done' })
  approve(
    @Param('id') id: string,
    @CurrentAccount() { id: by }: RequestAccount,
    @Body({ schema: ConfirmActionBody }) { previewId, reason }: ConfirmActionBody,
    @RequestSignal() signal: AbortSignal,
  ): Promise<ActionOutcome> {
    const confirmation = { previewId, reason, by, accountId: undefined, proposalId: proposalIdOf(id) };
    return this.#commands.execute(new ConfirmAction(confirmation, signal));
  }

  @Post(moneyRoutes.reject(':id'))
  @SendsCommands()
  @Returns(204, undefined, { description: 'The proposal is refused, or withdrawn by who has made it' })
  async reject(
    @Param('id') id: string,
    @CurrentAccount() { id: by, roles }: RequestAccount,
    @Body({ schema: RejectProposalBody }) { subscriptionId, reason }: RejectProposalBody,
  ): Promise<void> {
    const isAdmin = roles.includes('admin');
    const { now } = requestCommandContext();
    const command = {
      type: 'RejectMoneyAction',
      proposalId: proposalIdOf(id),
      by,
      isAdmin,
      reason,
      now,
    } as const;
    await this.#commands.execute(
      new StreamCommand(subscriptions, subscriptionStream(subscriptionId), command),
    );
  }

  @Post(moneyRoutes.abandon)
  @SendsCommands()
  @Returns(204, undefined, {
    description: 'A refused request is abandoned; what is owed above the limit is proposed to be, at first',
  })
  async abandon(
    @CurrentAccount() { id: by, roles }: RequestAccount,
    @Body({ schema: AbandonBody }) { subscriptionId, requestId, reason }: AbandonBody,
  ): Promise<void> {
    const command = {
      type: 'AbandonStripeRequest',
      requestId,
      reason,
      by,
      isAdmin: roles.includes('admin'),
      limit: this.#config.APPROVAL_ABOVE_AMOUNT,
    } as const;
    await this.#commands.execute(
      new StreamCommand(subscriptions, subscriptionStream(subscriptionId), command),
    );
  }
}
