import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PassportStrategy } from '@nestjs/passport';
import { DomainError } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { CONFIG } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import * as z from 'zod';
import { RegisterAccount } from '../commands/register-account.ts';
import { identityRoutes } from '../contract.ts';
import type { Sealer } from '../sessions/sealer.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import type { SessionUser } from '../sessions/session-store.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import { createSignInSecrets, type OpenIdClient, type SignedInPerson } from './openid-client.ts';
import { browserOrigin } from './own-origin.ts';
import { safeReturnPath } from './addresses.ts';
import { PENDING_SIGN_INS, ID_TOKEN_SEALER, OPENID_CLIENT } from './tokens.ts';

/** What passport carries from the strategy to the session and the controller. */
export type SignedIn = Readonly<{ session: SessionUser; returnTo: string }>;

const SignInQuery = z.object({
  login_hint: z
    .string()
    .min(1)
    .max(320)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line of text')
    .optional(),
});

const loginHintOf = (request: FastifyRequest): string | undefined => {
  const query = SignInQuery.safeParse(request.query);
  if (query.success) return query.data.login_hint;
  const message = query.error.issues[0]?.message ?? 'is wrong';
  throw new DomainError('invalid', 'INVALID_REQUEST', `login_hint: ${message}`, {
    errors: [{ path: 'login_hint', message }],
  });
};

const unknownAttempt = (): DomainError =>
  new DomainError(
    'invalid',
    'SIGN_IN_EXPIRED',
    'This sign-in was not begun in this browser, or took too long, or is over already: begin again.',
  );

/**
 * Both halves of signing in: away to the provider, and back.
 * Its fields are not `#private`, because passport calls it through an object derived from it.
 */
@Injectable()
export class OidcStrategy extends PassportStrategy(passport.Strategy, 'oidc') {
  private readonly config: ApiConfig;
  private readonly provider: OpenIdClient;
  private readonly attempts: PendingSignIns;
  private readonly sealer: Sealer;
  private readonly commands: CommandBus;

  constructor(
    @Inject(CONFIG) config: ApiConfig,
    @Inject(OPENID_CLIENT) provider: OpenIdClient,
    @Inject(PENDING_SIGN_INS) attempts: PendingSignIns,
    @Inject(ID_TOKEN_SEALER) sealer: Sealer,
    commands: CommandBus,
  ) {
    super();
    this.config = config;
    this.provider = provider;
    this.attempts = attempts;
    this.sealer = sealer;
    this.commands = commands;
  }

  override authenticate(request: unknown, options: { reply?: FastifyReply } = {}): void {
    const { reply } = options;
    if (!reply) throw new Error('The strategy needs the reply: use it through SignInGuard.');
    const asked = request as FastifyRequest;
    const isBack = asked.routeOptions.url === identityRoutes.loginCallback;
    const done = isBack ? this.comeBack(asked, reply) : this.goAway(asked, reply);
    done.catch((error: unknown) => this.error(error));
  }

  /** Who the person is to us, and what their session keeps. */
  async validate({ person, idToken }: SignedInPerson): Promise<SessionUser> {
    const accountId = await this.commands.execute(new RegisterAccount(person));
    return { accountId, roles: [], idToken: this.sealer.seal(idToken) };
  }

  private async goAway(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const loginHint = loginHintOf(request);
    const returnTo = safeReturnPath((request.query as Readonly<Record<string, unknown>>)['returnTo']);
    const callbackUrl = `${browserOrigin(request, this.config)}${identityRoutes.loginCallback}`;
    const secrets = createSignInSecrets();
    const url = await this.provider.authorizationUrl(secrets, { callbackUrl, loginHint });
    this.attempts.keep(request, reply, { ...secrets, callbackUrl, returnTo });
    this.redirect(url);
  }

  private async comeBack(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { search, searchParams } = new URL(request.url, this.config.publicOrigin);
    const [state, ...more] = searchParams.getAll('state');
    const attempt = state === undefined || more.length > 0 ? undefined : this.attempts.find(request, state);
    if (!attempt) throw unknownAttempt();
    const currentUrl = new URL(attempt.callbackUrl);
    currentUrl.search = search;
    try {
      const session = await this.validate(await this.provider.person(currentUrl, attempt));
      // The session that was is over: no word of it in the answer but the new cookie.
      delete request.cookies[sessionCookie(this.config).name];
      this.attempts.forget(reply, attempt.state);
      this.success({ session, returnTo: attempt.returnTo } satisfies SignedIn);
    } catch (error) {
      // While the provider or the tape is away the same address can be asked again.
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') {
        this.attempts.forget(reply, attempt.state);
      }
      throw error;
    }
  }
}
