import { Body, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { ApiConfig } from '@tapedeck/platform/config';
import {
  countByKey,
  CurrentAccount,
  Public,
  RateLimited,
  Returns,
  SendsCommands,
  type RequestAccount,
  type VerifiedEmail,
} from '@tapedeck/platform/http';
import { CONFIG, VERIFIED_EMAIL } from '@tapedeck/platform/tokens';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { claimCookie, type ClaimCookie } from '../http/claim-cookie.ts';
import { StartCheckout } from '../commands/start-checkout.ts';
import { AnonymousCheckoutBody, Checkout, CheckoutBody } from '../contract.ts';
import type { BillingPeriod, PaidTier, Plan } from '../domain/plans.ts';
import { KEYED_HASHES, type KeyedHashes } from '../http/keyed-hashes.ts';
import { assertVerified } from '../queries/verified-email.ts';
import { returnOrigin } from '../http/return-origin.ts';

@Controller('api')
export class CheckoutController {
  readonly #commands: CommandBus;
  readonly #config: ApiConfig;
  readonly #cookie: ClaimCookie;
  readonly #hashes: KeyedHashes;
  readonly #verifiedEmail: VerifiedEmail;

  constructor(
    commands: CommandBus,
    @Inject(CONFIG) config: ApiConfig,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
    @Inject(VERIFIED_EMAIL) verifiedEmail: VerifiedEmail,
  ) {
    this.#commands = commands;
    this.#config = config;
    this.#cookie = claimCookie(config);
    this.#hashes = hashes;
    this.#verifiedEmail = verifiedEmail;
  }

  @Post('create-pro-subscription')
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  pro(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: CheckoutBody }) body: CheckoutBody,
    @Req() request: FastifyRequest,
  ): Promise<Checkout> {
    return this.#startAsMember('Pro', body?.period, account, request);
  }

  @Post('create-elite-subscription')
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  elite(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: CheckoutBody }) body: CheckoutBody,
    @Req() request: FastifyRequest,
  ): Promise<Checkout> {
    return this.#startAsMember('Elite', body?.period, account, request);
  }

  @Public()
  @Post('create-pro-subscription-anonymous')
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  proByEmail(
    @Body({ schema: AnonymousCheckoutBody }) body: AnonymousCheckoutBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Checkout> {
    return this.#startByEmail({ tier: 'Pro', period: 'monthly' }, body, request, reply);
  }

  @Public()
  @Post('create-elite-subscription-anonymous')
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  eliteByEmail(
    @Body({ schema: AnonymousCheckoutBody }) body: AnonymousCheckoutBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Checkout> {
    return this.#startByEmail({ tier: 'Elite', period: 'monthly' }, body, request, reply);
  }

  @Public()
  @Post('create-pro-annual-subscription-anonymous')
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  proAnnualByEmail(
    @Body({ schema: AnonymousCheckoutBody }) body: AnonymousCheckoutBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Checkout> {
    return this.#startByEmail({ tier: 'Pro', period: 'annual' }, body, request, reply);
  }

  @Public()
  @Post('create-elite-annual-subscription-anonymous')
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  eliteAnnualByEmail(
    @Body({ schema: AnonymousCheckoutBody }) body: AnonymousCheckoutBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Checkout> {
    return this.#startByEmail({ tier: 'Elite', period: 'annual' }, body, request, reply);
  }

  async #startAsMember(
    tier: PaidTier,
    period: BillingPeriod = 'monthly',
    { id }: RequestAccount,
    request: FastifyRequest,
  ): Promise<Checkout> {
    const email = assertVerified(await this.#verifiedEmail(id));
    const origin = returnOrigin(request, this.#config);
    const buyer = { accountId: id, email };
    const checkoutUrl = await this.#commands.execute(new StartCheckout({ tier, period }, buyer, origin));
    return { checkoutUrl };
  }

  async #startByEmail(
    plan: Plan,
    { email }: AnonymousCheckoutBody,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<Checkout> {
    await countByKey(request, 'checkout-email', this.#hashes.ofEmail(email));
    const buyer = { accountId: null, email, claimSecretHash: this.#cookie.ensure(request, reply) };
    const origin = returnOrigin(request, this.#config);
    const checkoutUrl = await this.#commands.execute(new StartCheckout(plan, buyer, origin));
    return { checkoutUrl };
  }
}
