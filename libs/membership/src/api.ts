import { Global, Inject, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { ChangeTopics, ClientConfigParts } from '@tapedeck/platform/http';
import { CLOCK, CONFIG, DATABASES, MEMBER_FEATURES } from '@tapedeck/platform/tokens';
import { GrantComplimentaryAccessHandler } from './commands/grant-complimentary-access.ts';
import { ComplimentaryController } from './complimentary.controller.ts';
import { membershipTopic, type MembershipClientConfig } from './contract.ts';
import { featuresOf } from './domain/access.ts';
import { membershipEvents, membershipStream } from './domain/membership.ts';
import { MembershipController } from './membership.controller.ts';
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
  ],
  exports: [MEMBER_FEATURES],
})
export class MembershipModule {
  constructor(
    topics: ChangeTopics,
    clientConfig: ClientConfigParts,
    @Inject(CONFIG) { ENTITLEMENTS }: MembershipConfig,
  ) {
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
