import { Controller, Delete, Get, Inject, Param, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { logTrail, RateLimited, Returns } from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { LOGGER } from '@tapedeck/platform/tokens';
import type { FastifyRequest } from 'fastify';
import { EndOtherSessions } from '../commands/end-other-sessions.ts';
import { EndSession } from '../commands/end-session.ts';
import { SessionInfo, type SessionList } from '../contract.ts';
import { ListSessions } from '../queries/list-sessions.ts';
import { CurrentSession } from '../sessions/current-session.ts';
import type { SessionUser } from '../sessions/session-store.ts';

@Controller('api/sessions')
export class SessionsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #logger: Logger;

  constructor(commands: CommandBus, queries: QueryBus, @Inject(LOGGER) logger: Logger) {
    this.#commands = commands;
    this.#queries = queries;
    this.#logger = logger;
  }

  @Get()
  @RateLimited('sessions')
  @Returns(200, SessionInfo, { list: true })
  list(@CurrentSession() current: SessionUser): Promise<SessionList> {
    return this.#queries.execute(new ListSessions(current));
  }

  @Delete(':id')
  @RateLimited('sessions')
  @Returns(204, undefined)
  async end(
    @CurrentSession() { accountId }: SessionUser,
    @Param('id') id: string,
    @Req() request: FastifyRequest,
  ): Promise<void> {
    await this.#commands.execute(new EndSession(accountId, id));
    logTrail(this.#logger, 'authn_token_revoked', request);
  }

  /** Ends all others. */
  @Delete()
  @RateLimited('sessions')
  @Returns(204, undefined)
  async endOthers(@CurrentSession() current: SessionUser, @Req() request: FastifyRequest): Promise<void> {
    await this.#commands.execute(new EndOtherSessions(current));
    logTrail(this.#logger, 'authn_token_revoked', request);
  }
}
