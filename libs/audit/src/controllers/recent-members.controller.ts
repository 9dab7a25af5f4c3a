import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ReadsFrom, Returns, Roles } from '@tapedeck/platform/http';
import { auditRoutes, RecentMembers } from '../contract.ts';
import { ListRecentMembers } from '../queries/recent-members.ts';

@Roles('support', 'admin')
@Controller(auditRoutes.recent)
export class RecentMembersController {
  readonly #queries: QueryBus;

  constructor(queries: QueryBus) {
    this.#queries = queries;
  }

  @Get()
  @ReadsFrom('audit_timeline')
  @Returns(200, RecentMembers, { description: 'Those who were registered or have changed last, first' })
  list(): Promise<RecentMembers> {
    return this.#queries.execute(new ListRecentMembers());
  }
}
