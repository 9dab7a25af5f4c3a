import { Controller, Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { ApiConfig } from '@tapedeck/platform/config';
import { Public, Returns } from '@tapedeck/platform/http';
import { CONFIG } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Sealer } from '../sessions/sealer.ts';
import { sessionCookie } from '../sessions/session-cookie.ts';
import type { OpenIdClient } from './openid-client.ts';
import { browserOrigin } from './own-origin.ts';
import { sendPage, signOutPage } from './pages.ts';
import { ID_TOKEN_SEALER, OPENID_CLIENT } from './tokens.ts';

const isOwn = (address: string | undefined, origins: readonly string[]): boolean =>
  address !== undefined && URL.canParse(address) && origins.includes(new URL(address).origin);

/** Whether a person asked for it: a click on our page or an address typed, not another site's doing. */
const isDeliberate = ({ headers }: FastifyRequest, origins: readonly string[]): boolean => {
  // Browsers load ahead what somebody begins to type.
  if (headers['sec-purpose'] !== undefined || headers['purpose'] !== undefined) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || site === 'none';
  return headers.referer === undefined || isOwn(headers.referer, origins);
};

@Public()
@Controller('api/logout')
export class SignOutController {
  readonly #config: ApiConfig;
  readonly #provider: OpenIdClient;
  readonly #sealer: Sealer;

  constructor(
    @Inject(CONFIG) config: ApiConfig,
    @Inject(OPENID_CLIENT) provider: OpenIdClient,
    @Inject(ID_TOKEN_SEALER) sealer: Sealer,
  ) {
    this.#config = config;
    this.#provider = provider;
    this.#sealer = sealer;
  }

  /** At once when a person asked for it; from elsewhere with a question first. */
  @Get()
  @Returns(303, undefined, { description: 'To the provider to sign out there too, then to the front page' })
  async ask(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    if (isDeliberate(request, this.#config.origins)) await this.#signOut(request, reply);
    else sendPage(reply, 200, signOutPage());
  }

  @Post()
  @Returns(303, undefined, { description: 'To the provider to sign out there too, then to the front page' })
  signOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.#signOut(request, reply);
  }

  async #signOut(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const sealed = request.session.passport?.user?.idToken;
    const home = `${browserOrigin(request, this.#config)}/`;
    await request.session.destroy();
    const idToken = sealed ? this.#sealer.open(sealed) : undefined;
    const next = idToken === undefined ? undefined : await this.#provider.endSessionUrl(idToken, home);
    const { name, options } = sessionCookie(this.#config);
    void reply
      .clearCookie(name, options)
      // Not the cookies: browsers would take those of every other instance on this host along.
      .header('clear-site-data', '"storage"')
      .redirect(next ?? '/', 303);
  }
}
