import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CurrentAccount, ReadsFrom, Returns, type RequestAccount } from '@tapedeck/platform/http';
import { AdminStatus, CurrentUser as CurrentUserAnswer } from './contract.ts';
import { CurrentUser } from './queries/current-user.ts';

@Controller('api/auth')
export class CurrentUserController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get('user')
  @ReadsFrom('accounts')
  @Returns(200, CurrentUserAnswer)
  user(@CurrentAccount() account: RequestAccount): Promise<CurrentUserAnswer> {
    return this.#queries.execute(new CurrentUser(account.id));
  }

  @Get('admin-status')
  @Returns(200, AdminStatus)
  adminStatus(@CurrentAccount() { roles }: RequestAccount): AdminStatus {
    return { isAdmin: roles.includes('admin'), isSupport: roles.includes('support') };
  }
}
