import { Inject, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { MembershipConfig } from '@tapedeck/membership/settings';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { AddNoteHandler } from './commands/add-note.ts';
import { ExportTimelineHandler } from './commands/export-timeline.ts';
import { ReadMemberHandler } from './commands/read-member.ts';
import { RedactNoteHandler } from './commands/redact-note.ts';
import { MembersController } from './controllers/members.controller.ts';
import { AUDIT_READS, readEmails, type AuditReads } from './queries/audit-reads.ts';
import {
  ACCESS_READS,
  CompareAccessHandler,
  ExplainAccessHandler,
  type AccessReads,
} from './queries/explain-access.ts';
import { FindMembersHandler } from './queries/find-members.ts';
import { createMemberHistories } from './queries/member-histories.ts';
import { createPeopleDirectory, PEOPLE_DIRECTORY, type PeopleDirectory } from './queries/people-directory.ts';
import { ListRecentMembersHandler } from './queries/recent-members.ts';
import { RecentMembersController } from './controllers/recent-members.controller.ts';
import { ShowDeckHandler } from './queries/show-deck.ts';
import { ShowEventHandler } from './queries/show-event.ts';
import { ShowMemberHandler } from './queries/show-member.ts';
import { ShowTimelineHandler } from './queries/show-timeline.ts';
import { stripePages } from '@tapedeck/stripe/pages';
import type { StripeApiConfig } from '@tapedeck/stripe/settings';

const parts: readonly Provider[] = [
  {
    provide: AUDIT_READS,
    inject: [DATABASES, EVENT_STORE, CONFIG],
    useFactory: ({ tapedeck: pool }: Databases, store: EventStore, config: StripeApiConfig): AuditReads => ({
      pool,
      store,
      pageOf: stripePages(config),
    }),
  },
  {
    provide: ACCESS_READS,
    inject: [AUDIT_READS, CONFIG, CLOCK],
    useFactory: (reads: AuditReads, config: MembershipConfig, clock: Clock): AccessReads => {
      const { ENTITLEMENTS: mode, GRACE_DAYS: graceDays } = config;
      return { reads, histories: createMemberHistories({ reads, mode, graceDays }), clock };
    },
  },
  {
    provide: PEOPLE_DIRECTORY,
    inject: [AUDIT_READS],
    useFactory: ({ pool, store }: AuditReads): PeopleDirectory => createPeopleDirectory({ pool, store }),
  },
];

@Module({
  imports: [CqrsModule],
  controllers: [MembersController, RecentMembersController],
  providers: [
    ...parts,
    FindMembersHandler,
    ListRecentMembersHandler,
    ShowDeckHandler,
    ShowMemberHandler,
    ShowTimelineHandler,
    ShowEventHandler,
    ExplainAccessHandler,
    CompareAccessHandler,
    ReadMemberHandler,
    AddNoteHandler,
    RedactNoteHandler,
    ExportTimelineHandler,
  ],
})
export class AuditModule {
  constructor(accounts: AccountNames, @Inject(AUDIT_READS) reads: AuditReads) {
    accounts.register((ids) => readEmails(reads, ids));
  }
}
