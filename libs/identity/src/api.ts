import { Global, Inject, Module, type Provider } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { ChangeTopics, ClientConfigParts, LiveSessions, type VerifiedEmail } from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE, LOGGER, VERIFIED_EMAIL } from '@tapedeck/platform/tokens';
import type { FastifyInstance } from 'fastify';
import { mailsTopic, type IdentityClientConfig } from './contract.ts';
import { AccountController } from './controllers/account.controller.ts';
import { registerCrossSiteGuard } from './cross-site-guard.ts';
import { ForgetAccountHandler } from './commands/forget-account.ts';
import { EndOtherSessionsHandler } from './commands/end-other-sessions.ts';
import { EndSessionHandler } from './commands/end-session.ts';
import { sentMailEvents, sentMailsStream } from './domain/sent-mails.ts';
import { registerExpectedAccount } from './expected-account.ts';
import { ProfileController } from './controllers/profile.controller.ts';
import { CurrentUserController } from './controllers/current-user.controller.ts';
import { CurrentUserHandler } from './queries/current-user.ts';
import { ListSentMailsHandler } from './queries/list-sent-mails.ts';
import { ListSessionsHandler } from './queries/list-sessions.ts';
import { ShowSentMailHandler } from './queries/show-sent-mail.ts';
import { findAccount } from './queries/find-account.ts';
import { registerSessions, type SessionOptions } from './sessions/register-sessions.ts';
import { createSealer } from './sessions/sealer.ts';
import { findLiveSessions } from './sessions/session-store.ts';
import { sessionCookie } from './sessions/session-cookie.ts';
import { SessionsController } from './controllers/sessions.controller.ts';
import { SentMailsController } from './controllers/sent-mails.controller.ts';
import { openCountryDatabase } from './sessions/country-database.ts';
import { COUNTRY_OF, OidcStrategy } from './sign-in/oidc-strategy.ts';
import { createOpenIdClient, OPENID_CLIENT } from './sign-in/openid-client.ts';
import { registerProblemPages } from './sign-in/pages.ts';
import { createPendingSignIns, PENDING_SIGN_INS } from './sign-in/pending-sign-ins.ts';
import { SignInController, SignInGuard, SignInSerializer } from './sign-in/sign-in.controller.ts';
import { SignOutController } from './sign-in/sign-out.controller.ts';
import type { IdentityConfig } from './settings.ts';

export { hasSessionCookie } from './sessions/session-cookie.ts';

/** The hooks that protect and identify every request; to be registered before any route. */
export const registerIdentity = async (fastify: FastifyInstance, options: SessionOptions): Promise<void> => {
  registerCrossSiteGuard(fastify, options.config);
  await registerSessions(fastify, options);
  registerExpectedAccount(fastify);
  registerProblemPages(fastify);
};

const signInProviders: readonly Provider[] = [
  {
    provide: OPENID_CLIENT,
    inject: [CONFIG, LOGGER],
    useFactory: (config: IdentityConfig, logger: Logger) =>
      createOpenIdClient({
        issuer: config.OIDC_ISSUER,
        clientId: config.OIDC_CLIENT_ID,
        clientSecret: config.OIDC_CLIENT_SECRET,
        onFailure: (reason) => logger.warn({ reason }, 'sign-in failed'),
      }),
  },
  {
    provide: COUNTRY_OF,
    inject: [CONFIG],
    useFactory: (config: IdentityConfig) => openCountryDatabase(config.COUNTRY_DATABASE),
  },
  {
    provide: PENDING_SIGN_INS,
    inject: [CONFIG, CLOCK],
    useFactory: (config: IdentityConfig, clock: Clock) =>
      createPendingSignIns(
        sessionCookie(config),
        createSealer(config.SESSION_SECRET, 'sign-in attempt'),
        clock,
      ),
  },
];

const verifiedEmail: Provider = {
  provide: VERIFIED_EMAIL,
  inject: [DATABASES, EVENT_STORE],
  useFactory:
    ({ tapedeck }: Databases, store: EventStore): VerifiedEmail =>
    async (account) => {
      const found = await findAccount(account, tapedeck, store);
      return found?.emailVerified ? found.email : null;
    },
};

/** Global, because every module may need a member's verified address. */
@Global()
@Module({
  imports: [CqrsModule],
  controllers: [
    SignInController,
    SignOutController,
    CurrentUserController,
    ProfileController,
    SessionsController,
    AccountController,
    SentMailsController,
  ],
  providers: [
    ...signInProviders,
    OidcStrategy,
    SignInSerializer,
    SignInGuard,
    ForgetAccountHandler,
    EndSessionHandler,
    EndOtherSessionsHandler,
    ListSessionsHandler,
    ListSentMailsHandler,
    ShowSentMailHandler,
    CurrentUserHandler,
    verifiedEmail,
  ],
  exports: [VERIFIED_EMAIL],
})
export class IdentityModule {
  constructor(
    clientConfig: ClientConfigParts,
    sessions: LiveSessions,
    topics: ChangeTopics,
    @Inject(CONFIG) config: IdentityConfig,
    @Inject(DATABASES) { tapedeck }: Databases,
    @Inject(CLOCK) clock: Clock,
  ) {
    topics.registerOfAccount({
      name: mailsTopic,
      types: Object.keys(sentMailEvents),
      streamsOf: async (account) => [sentMailsStream(account)],
    });
    sessions.register((accounts) => findLiveSessions(tapedeck, clock, accounts));
    clientConfig.register((): IdentityClientConfig => ({
      billingPortalUrl: config.BILLING_PORTAL_URL,
      signInHints: [...config.SIGN_IN_HINTS],
    }));
  }
}
