import { Body, Controller, Get, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { derivedId } from '@tapedeck/kernel';
import {
  ReadsFrom,
  requestCommandContext,
  Returns,
  Roles,
  SendsCommands,
  StreamCommand,
} from '@tapedeck/platform/http';
import { subscriptions } from '../domain/decide-subscription.ts';
import { subscriptionStream } from '../domain/subscription-events.ts';
import { ShowQueues } from '../queries/queues/show-queues.ts';
import { AcceptFindingBody, Queues, RepeatBody } from '../wire/queues.ts';

@Roles('support', 'admin')
@Controller('api/admin/queues')
export class QueuesController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('payment_queues')
  @Returns(200, Queues, { description: 'What about money waits for a decision of a person' })
  show(): Promise<Queues> {
    return this.#queries.execute(new ShowQueues());
  }

  @Post('refused/repeat')
  @SendsCommands()
  @Returns(204, undefined, { description: 'The refused request is made once more' })
  async repeat(
    @Body({ schema: RepeatBody }) { subscriptionId, requestId: repeats, reason: comment }: RepeatBody,
  ): Promise<void> {
    const requestId = derivedId('stripe write', requestCommandContext().commandId);
    const command = { type: 'RepeatStripeRequest', requestId, repeats, comment } as const;
    await this.#commands.execute(
      new StreamCommand(subscriptions, subscriptionStream(subscriptionId), command),
    );
  }

  @Post('findings/accept')
  @SendsCommands()
  @Returns(204, undefined, {
    description: 'The entry has left the queue, and is listed again only when it changes',
  })
  async accept(
    @Body({ schema: AcceptFindingBody }) { subscriptionId, kind, reason }: AcceptFindingBody,
  ): Promise<void> {
    const command = { type: 'AcceptFinding', kind, reason } as const;
    await this.#commands.execute(
      new StreamCommand(subscriptions, subscriptionStream(subscriptionId), command),
    );
  }
}
