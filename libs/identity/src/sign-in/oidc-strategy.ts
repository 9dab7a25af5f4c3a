import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { PassportStrategy } from '@nestjs/passport';
import { accountId, derivedId, DomainError } from '@tapedeck/kernel';
import { StreamCommand } from '@tapedeck/platform/http';
import { CONFIG } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import passport from 'passport';
import * as z from 'zod';
import { identityRoutes } from '../contract.ts';
import { accountStream } from '../domain/account.ts';
import { accounts } from '../domain/decide.ts';
import { browserOf } from '../sessions/browser.ts';
import { networkKeyOf, placeOf, type CountryOf } from '../sessions/network.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import type { SignedInUser } from '../sessions/session-store.ts';
import { browserOrigin, safeReturnPath } from './addresses.ts';
import {
  createSignInSecrets,
  OPENID_CLIENT,
  type OpenIdClient,
  type SignedInPerson,
} from './openid-client.ts';
import { PENDING_SIGN_INS, type PendingSignIns } from './pending-sign-ins.ts';
import type { IdentityConfig } from '../settings.ts';

/** The result of a sign-in: passport passes it from the strategy to the session and the controller. */
export type SignedIn = Readonly<{ session: SignedInUser; returnTo: string }>;

type SignInRequest = Pick<FastifyRequest, 'headers' | 'ip'>;

export const COUNTRY_OF = Symbol('CountryOf');

const SignInQuery = z.object({
  login_hint: z
    .string()
    .min(1)
    .max(320)
    .regex(/^[^\p{Cc}]*$/u, 'must be one line of text')
    .optional(),
});

/** Another site must not choose the account: a stand-in provider signs in whom the hint names, without a page. */
const loginHintOf = (request: FastifyRequest): string | undefined => {
  if (request.headers['sec-fetch-site'] === 'cross-site') return undefined;
  const query = SignInQuery.safeParse(request.query);
  if (query.success) return query.data.login_hint;
  const message = query.error.issues[0]?.message ?? 'is wrong';
  throw new DomainError('invalid', 'INVALID_REQUEST', `login_hint: ${message}`, {
    errors: [{ path: 'login_hint', message }],
  });
};

const signInExpired = (): DomainError =>
  new DomainError(
    'invalid',
    'SIGN_IN_EXPIRED',
    'This sign-in was begun in another browser, has been completed already, or took too long: sign in again.',
  );

/**
 * Both requests of a sign-in: the redirect to the provider, and the callback from it.
 * Its fields are not `#private`, because passport calls it through an object derived from it.
 */
@Injectable()
export class OidcStrategy extends PassportStrategy(passport.Strategy, 'oidc') {
  constructor(
    @Inject(CONFIG) private readonly config: IdentityConfig,
    @Inject(OPENID_CLIENT) private readonly provider: OpenIdClient,
    @Inject(PENDING_SIGN_INS) private readonly pendingSignIns: PendingSignIns,
    @Inject(COUNTRY_OF) private readonly countryOf: CountryOf,
    private readonly commands: CommandBus,
  ) {
    super();
  }

  override authenticate(request: unknown, options: { reply?: FastifyReply } = {}): void {
    const { reply } = options;
    if (!reply) throw new Error('The strategy needs the reply: use it through SignInGuard.');
    const fastifyRequest = request as FastifyRequest;
    const isCallback = fastifyRequest.routeOptions.url === identityRoutes.loginCallback;
    const done = isCallback
      ? this.completeSignIn(fastifyRequest, reply)
      : this.redirectToProvider(fastifyRequest, reply);
    done.catch((error: unknown) => this.error(error));
  }

  /** Registers the person's account where it is new; returns what the session stores. */
  async validate({ person, idToken }: SignedInPerson, request: SignInRequest): Promise<SignedInUser> {
    // A provider that moves to another address remains the same provider under its name.
    const issuer = this.config.OIDC_ISSUER_NAME ?? this.config.OIDC_ISSUER;
    const id = accountId(derivedId('account', issuer, person.subject));
    const command = { type: 'RegisterAccount', accountId: id, issuer, ...person } as const;
    const actor = { id, kind: 'member' } as const;
    await this.commands.execute(new StreamCommand(accounts, accountStream(id), command, { actor }));
    return {
      accountId: id,
      idToken,
      browser: browserOf(request.headers['user-agent']),
      place: placeOf(request.ip, this.countryOf),
      networkKey: networkKeyOf(request.ip, id, this.config.SESSION_SECRET),
    };
  }

  private async redirectToProvider(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const loginHint = loginHintOf(request);
    const returnTo = safeReturnPath((request.query as Readonly<Record<string, unknown>>)['returnTo']);
    const callbackUrl = `${browserOrigin(request, this.config)}${identityRoutes.loginCallback}`;
    const secrets = createSignInSecrets();
    const url = await this.provider.authorizationUrl(secrets, { callbackUrl, loginHint });
    this.pendingSignIns.save(request, reply, { ...secrets, callbackUrl, returnTo });
    this.redirect(url);
  }

  private async completeSignIn(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { search, searchParams } = new URL(request.url, this.config.publicOrigin);
    const [state, ...more] = searchParams.getAll('state');
    const pending =
      state === undefined || more.length > 0 ? undefined : this.pendingSignIns.find(request, state);
    if (!pending) throw signInExpired();
    const currentUrl = new URL(pending.callbackUrl);
    currentUrl.search = search;
    try {
      const person = await this.provider.person(currentUrl, pending);
      const session = await this.validate(person, request);
      // With the old cookie in the request, @fastify/session would send a second header that clears the new one.
      delete request.cookies[sessionCookie(this.config).name];
      this.pendingSignIns.remove(reply, pending.state);
      this.success({ session, returnTo: pending.returnTo } satisfies SignedIn);
    } catch (error) {
      // While the provider or the tape is unavailable, the same callback can be sent again.
      if (!(error instanceof DomainError) || error.kind !== 'unavailable') {
        this.pendingSignIns.remove(reply, pending.state);
      }
      throw error;
    }
  }
}
