import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { accountId, parseUuid } from '@tapedeck/kernel';
import { ReadsFrom, requestCommandContext, Returns, Roles, SendsCommands } from '@tapedeck/platform/http';
import { ApplyReplay } from './commands/apply-replay.ts';
import { TryReplay } from './commands/try-replay.ts';
import type { ReplayTarget } from './domain/replay.ts';
import { ListReplays, ShowReplay } from './queries/replays.ts';
import {
  ApplyReplayBody,
  ReplayDetails,
  ReplayOutcome,
  ReplayPlan,
  Replays,
  ReplaysQuery,
  TryReplayBody,
  type ReplayTargetBody,
} from './contract.ts';

const targetOf = (target: ReplayTargetBody): ReplayTarget =>
  target.kind === 'member' ? { kind: 'member', accountId: accountId(target.accountId) } : target;

@Roles('support', 'admin')
@Controller('api/admin/replays')
export class ReplaysController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;

  constructor(commands: CommandBus, queries: QueryBus) {
    this.#commands = commands;
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('payment_replays')
  @Returns(200, Replays, { description: 'The newest first' })
  list(@Query({ schema: ReplaysQuery }) { accountId: account, cursor }: ReplaysQuery): Promise<Replays> {
    return this.#queries.execute(new ListReplays(account, cursor));
  }

  @Get(':id')
  @ReadsFrom('payment_replays')
  @Returns(200, ReplayDetails)
  show(@Param('id') id: string): Promise<ReplayDetails> {
    return this.#queries.execute(new ShowReplay(parseUuid('replay id', id), requestCommandContext().actor));
  }

  @Post()
  @SendsCommands()
  @Returns(201, ReplayPlan)
  dryRun(@Body({ schema: TryReplayBody }) { mode, target }: TryReplayBody): Promise<ReplayPlan> {
    return this.#commands.execute(new TryReplay(mode, targetOf(target)));
  }

  @Post(':id/apply')
  @SendsCommands()
  @Returns(200, ReplayOutcome)
  apply(
    @Param('id') id: string,
    @Body({ schema: ApplyReplayBody }) { fingerprint, reason, releases }: ApplyReplayBody,
  ): Promise<ReplayOutcome> {
    return this.#commands.execute(new ApplyReplay(parseUuid('replay id', id), fingerprint, reason, releases));
  }
}
