import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import { ApiResponse } from '@nestjs/swagger';
import { logTrail, Public, Returns } from '@tapedeck/platform/http';
import type { Logger } from '@tapedeck/platform/log';
import { CONFIG, LOGGER } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { idTokenSealer } from '../sessions/sealer.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import { sessionUser } from '../sessions/session-store.ts';
import { browserOrigin } from './addresses.ts';
import { OPENID_CLIENT, type OpenIdClient } from './openid-client.ts';
import { sendPage, signOutPage } from './pages.ts';
import type { IdentityConfig } from '../settings.ts';

const isOwn = (address: string | undefined, origins: readonly string[]): boolean =>
  address !== undefined && URL.canParse(address) && origins.includes(new URL(address).origin);

/** Whether the person wants to sign out: a click on our page or a typed address, not a link on another site. */
const isDeliberate = ({ headers }: FastifyRequest, origins: readonly string[]): boolean => {
  // Browsers prefetch addresses while they are typed.
  if (headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.referer === undefined || isOwn(headers.referer, origins);
};

@Public()
@Controller('api/logout')
export class SignOutController {
  readonly #config: IdentityConfig;
  readonly #provider: OpenIdClient;
  readonly #logger: Logger;

  constructor(
    @Inject(CONFIG) config: IdentityConfig,
    @Inject(OPENID_CLIENT) provider: OpenIdClient,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#config = config;
    this.#provider = provider;
    this.#logger = logger;
  }

  /** Signs out when the person intended it; a navigation from another site gets a page that asks first. */
  @Get()
  @ApiResponse({ status: 200, description: 'A page that asks first', content: { 'text/html': {} } })
  @Returns(303, undefined, { description: 'To the provider to sign out there too, then to the front page' })
  async confirmOrSignOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (isDeliberate(request, this.#config.origins)) await this.#signOut(request, reply);
    else sendPage(reply, 200, signOutPage());
  }

  @Post()
  @Returns(303, undefined, { description: 'To the provider to sign out there too, then to the front page' })
  signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#signOut(request, reply);
  }

  async #signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const user = sessionUser(request.session);
    const sealer = idTokenSealer(this.#config.SESSION_SECRET, request.session.sessionId);
    const idToken = user?.sealedIdToken ? sealer.open(user.sealedIdToken) : undefined;
    const home = `${browserOrigin(request, this.#config)}/`;
    await request.session.destroy();
    if (user) logTrail(this.#logger, 'authn_logout', request, { account: user.accountId });
    const next = idToken === undefined ? undefined : await this.#provider.endSessionUrl(idToken, home);
    const { name, options } = sessionCookie(this.#config);
    void reply
      .clearCookie(name, options)
      // Without "cookies": browsers would also delete those of every other instance on this host.
      .header('clear-site-data', '"storage"')
      .redirect(next ?? '/', 303);
  }
}
