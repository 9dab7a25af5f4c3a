import { Body, Controller, Inject, Post, Req, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
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
import { StartCheckout } from '../commands/start-checkout.ts';
import { AnonymousCheckoutBody, Checkout, CheckoutBody, paymentRoutes } from '../contract.ts';
import { paidPlans, paidTiers, type BillingPeriod, type PaidTier, type Plan } from '@tapedeck/plans/contract';
import {
  assertVerified,
  claimCookie,
  type ClaimCookie,
  KEYED_HASHES,
  type KeyedHashes,
} from '../http/buyer-proofs.ts';
import { returnOrigin } from '../http/return-origin.ts';
import type { PaymentsApiConfig } from '../settings.ts';

/** What is bought by the path of the call. */
const memberPlans: ReadonlyMap<string, PaidTier> = new Map(
  paidTiers.map((tier) => [paymentRoutes.checkout(tier), tier]),
);
const anonymousPlans: ReadonlyMap<string, Plan> = new Map(
  paidPlans.map((plan) => [paymentRoutes.anonymousCheckout(plan), plan]),
);

const planAt = <T>({ routeOptions }: FastifyRequest, plans: ReadonlyMap<string, T>): T => {
  const plan = plans.get(routeOptions.url ?? '');
  if (plan === undefined) throw new Error(`No plan is sold at ${routeOptions.url}.`);
  return plan;
};

@Controller()
export class CheckoutController {
  readonly #commands: CommandBus;
  readonly #config: PaymentsApiConfig;
  readonly #cookie: ClaimCookie;
  readonly #hashes: KeyedHashes;
  readonly #verifiedEmail: VerifiedEmail;

  constructor(
    commands: CommandBus,
    @Inject(CONFIG) config: PaymentsApiConfig,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
    @Inject(VERIFIED_EMAIL) verifiedEmail: VerifiedEmail,
  ) {
    this.#commands = commands;
    this.#config = config;
    this.#cookie = claimCookie(config);
    this.#hashes = hashes;
    this.#verifiedEmail = verifiedEmail;
  }

  @Post([...memberPlans.keys()])
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  asMember(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: CheckoutBody }) body: CheckoutBody,
    @Req() request: FastifyRequest,
  ): Promise<Checkout> {
    return this.#startAsMember(planAt(request, memberPlans), body?.period, account, request);
  }

  @Public()
  @Post([...anonymousPlans.keys()])
  @RateLimited('checkout')
  @SendsCommands()
  @Returns(201, Checkout)
  byEmail(
    @Body({ schema: AnonymousCheckoutBody }) body: AnonymousCheckoutBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Checkout> {
    return this.#startByEmail(planAt(request, anonymousPlans), body, request, reply);
  }

  async #startAsMember(
    tier: PaidTier,
    period: BillingPeriod = 'monthly',
    { id }: RequestAccount,
    request: FastifyRequest,
  ): Promise<Checkout> {
    const email = assertVerified(await this.#verifiedEmail(id));
    const origin = returnOrigin(request, this.#config);
    const buyer = { accountId: id, email, claimSecretHash: this.#cookie.hashOf(request) };
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
