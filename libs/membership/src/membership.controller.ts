import { Controller, Get, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { CurrentAccount, ReadsFrom, Returns, type RequestAccount } from '@tapedeck/platform/http';
import { HistoryQuery, MemberHistory, MemberTier } from './contract.ts';
import { followedPayments } from './queries/followed-payments.ts';
import { MemberHistory as MemberHistoryQuery } from './queries/member-history.ts';
import { MemberTier as MemberTierQuery } from './queries/member-tier.ts';

@Controller('api/member')
export class MembershipController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get('tier')
  @ReadsFrom(followedPayments)
  @Returns(200, MemberTier)
  tier(@CurrentAccount() { id, roles }: RequestAccount): Promise<MemberTier> {
    return this.#queries.execute(new MemberTierQuery(id, roles));
  }

  @Get('history')
  @ReadsFrom(followedPayments)
  @Returns(200, MemberHistory, { description: 'Membership and payments, the newest first' })
  history(
    @CurrentAccount() { id }: RequestAccount,
    @Query({ schema: HistoryQuery }) page: HistoryQuery,
  ): Promise<MemberHistory> {
    return this.#queries.execute(new MemberHistoryQuery(id, page));
  }
}
