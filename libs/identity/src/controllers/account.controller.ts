import { Body, Controller, Delete, Inject, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  logTrail,
  RateLimited,
  Returns,
  SendsCommands,
  type RequestAccount,
} from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { CONFIG, LOGGER } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ForgetAccount } from '../commands/forget-account.ts';
import { DeleteAccountBody } from '../contract.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import type { IdentityConfig } from '../settings.ts';

@Controller('api/account')
export class AccountController {
  readonly #commands: CommandBus;
  readonly #config: IdentityConfig;
  readonly #logger: Logger;

  constructor(commands: CommandBus, @Inject(CONFIG) config: IdentityConfig, @Inject(LOGGER) logger: Logger) {
    this.#commands = commands;
    this.#config = config;
    this.#logger = logger;
  }

  @Delete()
  @SendsCommands()
  @RateLimited('deletion')
  @Returns(204, undefined)
  async forget(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: DeleteAccountBody }) { confirmation }: DeleteAccountBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    await this.#commands.execute(new ForgetAccount(id, confirmation));
    logTrail(this.#logger, 'user_deleted', request);
    const { name, options } = sessionCookie(this.#config);
    void reply.clearCookie(name, options).header('clear-site-data', '"storage"');
  }
}
