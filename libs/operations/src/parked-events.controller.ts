import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { derivedId } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  Returns,
  Roles,
  requestCommandContext,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { IgnoreEvent } from './commands/ignore-event.ts';
import { RetryEvents } from './commands/retry-events.ts';
import { IgnoreBody, IgnoredPage, ParkedPage, ParkedQuery, Retried, RetryBody } from './contract.ts';
import { operations } from './domain/decide.ts';
import { operationsStream, reasonSubject } from './domain/operations.ts';
import { ShowIgnored } from './queries/show-ignored.ts';
import { ShowParked } from './queries/show-parked.ts';

const isAdmin = ({ roles }: RequestAccount): boolean => roles.includes('admin');

/** Admins also see the events of read models. */
@Roles('support', 'admin')
@Controller('api/admin/parked-events')
export class ParkedEventsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @Returns(200, ParkedPage)
  show(
    @CurrentAccount() account: RequestAccount,
    @Query({ schema: ParkedQuery }) filter: ParkedQuery,
  ): Promise<ParkedPage> {
    return this.#queries.execute(new ShowParked(filter, isAdmin(account)));
  }

  @Get('ignored')
  @ReadsFrom('operations')
  @Returns(200, IgnoredPage, { description: 'The newest first' })
  ignored(@CurrentAccount() account: RequestAccount): Promise<IgnoredPage> {
    return this.#queries.execute(new ShowIgnored(isAdmin(account)));
  }

  @Post('retry')
  @SendsCommands()
  @Returns(202, Retried)
  async retry(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: RetryBody }) what: RetryBody,
  ): Promise<Retried> {
    return { events: await this.#commands.execute(new RetryEvents(what, isAdmin(account))) };
  }

  @Post('ignore')
  @SendsCommands()
  @Returns(204, undefined)
  ignore(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: IgnoreBody }) content: IgnoreBody,
  ): Promise<void> {
    return this.#commands.execute(new IgnoreEvent(content, isAdmin(account)));
  }

  @Post('restore')
  @SendsCommands()
  @Returns(204, undefined)
  async restore(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: IgnoreBody }) { consumer, position, reason }: IgnoreBody,
  ): Promise<void> {
    const requestId = derivedId('operation', requestCommandContext().commandId);
    const request = { requestId, reason, personalSubject: reasonSubject(requestId) };
    const mayRebuild = isAdmin(account);
    const command = { type: 'RestoreEvent', subscriber: consumer, position, mayRebuild, ...request } as const;
    await this.#commands.execute(new StreamCommand(operations, operationsStream(consumer), command));
  }
}
