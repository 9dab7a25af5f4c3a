import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns, Roles, SendsCommands, StreamCommand } from '@tapedeck/platform/http';
import { RequestChange } from './commands/request-change.ts';
import {
  CancelBody,
  ChangeRequested,
  JobsPage,
  ProjectionsPage,
  ReasonBody,
  TapeFigures,
} from './contract.ts';
import { operations } from './domain/decide.ts';
import { operationsStream } from './domain/operations.ts';
import { ShowJobs } from './queries/show-jobs.ts';
import { ShowProjections } from './queries/show-projections.ts';
import { ShowTape } from './queries/show-tape.ts';

@Roles('admin')
@Controller('api/admin/projections')
export class ProjectionsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('operations')
  @Returns(200, ProjectionsPage)
  show(): Promise<ProjectionsPage> {
    return this.#queries.execute(new ShowProjections());
  }

  @Get('tape')
  @Returns(200, TapeFigures)
  tape(): Promise<TapeFigures> {
    return this.#queries.execute(new ShowTape());
  }

  @Get('jobs')
  @Returns(200, JobsPage)
  jobs(): Promise<JobsPage> {
    return this.#queries.execute(new ShowJobs());
  }

  @Post(':name/rebuild')
  @SendsCommands()
  @Returns(202, ChangeRequested, { description: 'The projector executes it' })
  async rebuild(
    @Param('name') name: string,
    @Body({ schema: ReasonBody }) { reason }: ReasonBody,
  ): Promise<ChangeRequested> {
    return { requestId: await this.#commands.execute(new RequestChange(name, 'rebuild', reason)) };
  }

  @Post(':name/roll-back')
  @SendsCommands()
  @Returns(202, ChangeRequested, { description: 'The projector executes it' })
  async rollBack(
    @Param('name') name: string,
    @Body({ schema: ReasonBody }) { reason }: ReasonBody,
  ): Promise<ChangeRequested> {
    return { requestId: await this.#commands.execute(new RequestChange(name, 'roll-back', reason)) };
  }

  @Post(':name/cancel')
  @SendsCommands()
  @Returns(202, undefined, { description: 'The projector executes it, unless the change has ended by then' })
  async cancel(
    @Param('name') name: string,
    @Body({ schema: CancelBody }) { requestId }: CancelBody,
  ): Promise<void> {
    const command = { type: 'RequestCancel', projection: name, requestId } as const;
    await this.#commands.execute(new StreamCommand(operations, operationsStream(name), command));
  }
}
