import { Global, Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import { ACCESS_AFTER } from '@tapedeck/payments/events';
import { ChangeTopics, ClientConfigParts, ReadModels } from '@tapedeck/platform/http';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, MEMBER_FEATURES } from '@tapedeck/platform/tokens';
import { GrantComplimentaryAccessHandler } from './commands/grant-complimentary-access.ts';
import { ComplimentaryController } from './complimentary.controller.ts';
import { membershipTopic, type MembershipClientConfig } from './contract.ts';
import { featuresOf } from './domain/access.ts';
import { membershipEvents, membershipStream } from './domain/membership.ts';
import { MembershipController } from './membership.controller.ts';
import { accessAfter } from './queries/access-after.ts';
import { followedPayments, waitForFollowedPayments } from './queries/followed-payments.ts';
import { memberFeatures } from './queries/member-features.ts';
import { MemberHistoryHandler } from './queries/member-history.ts';
import { MemberTierHandler } from './queries/member-tier.ts';
import type { MembershipConfig } from './settings.ts';

/** Global, because every module may have features that not every member has. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [MembershipController, ComplimentaryController],
  providers: [
    MemberTierHandler,
    MemberHistoryHandler,
    GrantComplimentaryAccessHandler,
    { provide: MEMBER_FEATURES, inject: [DATABASES, CLOCK, CONFIG], useFactory: memberFeatures },
    { provide: ACCESS_AFTER, inject: [DATABASES, CONFIG], useFactory: accessAfter },
  ],
  exports: [MEMBER_FEATURES, ACCESS_AFTER],
})
export class MembershipModule {
  constructor(
    topics: ChangeTopics,
    clientConfig: ClientConfigParts,
    readModels: ReadModels,
    @Inject(CONFIG) { ENTITLEMENTS }: MembershipConfig,
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
  ) {
    readModels.register(followedPayments, waitForFollowedPayments(databases, store));
    clientConfig.register((): MembershipClientConfig => ({
      freeFeatures: [...featuresOf('Free', ENTITLEMENTS)],
    }));
    topics.registerOfAccount({
      name: membershipTopic,
      types: Object.keys(membershipEvents),
      streamsOf: async (account) => [membershipStream(account)],
    });
  }
}
