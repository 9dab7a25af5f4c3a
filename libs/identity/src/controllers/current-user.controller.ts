import { Controller, Get, Req } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import {
  CurrentAccount,
  Public,
  ReadsFrom,
  Returns,
  signedOut,
  type RequestAccount,
} from '@tapedeck/platform/http';
import type { FastifyRequest } from 'fastify';
import { AdminStatus, CurrentUser as CurrentUserAnswer, OptionalUser } from '../contract.ts';
import { CurrentUser } from '../queries/current-user.ts';

const adminStatus = ({ roles }: RequestAccount): AdminStatus => ({
  isAdmin: roles.includes('admin'),
  isSupport: roles.includes('support'),
});

@Controller('api/auth')
export class CurrentUserController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get('user')
  @ReadsFrom('accounts')
  @Returns(200, CurrentUserAnswer)
  async user(@CurrentAccount() account: RequestAccount): Promise<CurrentUserAnswer> {
    const user = await this.#queries.execute(new CurrentUser(account.id));
    if (!user) throw signedOut();
    return user;
  }

  @Get('session')
  @Public()
  @ReadsFrom('accounts')
  @Returns(200, OptionalUser)
  async optionalUser(@Req() { account }: FastifyRequest): Promise<OptionalUser> {
    const user = account ? await this.#queries.execute(new CurrentUser(account.id)) : null;
    return { user: user && account ? { ...user, ...adminStatus(account) } : null };
  }

  @Get('admin-status')
  @Returns(200, AdminStatus)
  adminStatus(@CurrentAccount() account: RequestAccount): AdminStatus {
    return adminStatus(account);
  }
}
