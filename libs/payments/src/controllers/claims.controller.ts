import { Body, Controller, Get, Inject, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import {
  countByKey,
  CurrentAccount,
  Public,
  RateLimited,
  ReadsFrom,
  Returns,
  SendsCommands,
  type RequestAccount,
  type VerifiedEmail,
} from '@tapedeck/platform/http';
import { CONFIG, VERIFIED_EMAIL } from '@tapedeck/platform/tokens';
import type { FastifyRequest } from 'fastify';
import { EnterClaimCode } from '../commands/enter-claim-code.ts';
import { LinkPayment } from '../commands/link-payment.ts';
import { RequestClaimCode } from '../commands/request-claim-code.ts';
import {
  ClaimBody,
  ClaimCodeBody,
  ClaimCodeSent,
  LinkedPayment,
  LinkPaymentBody,
  PaymentVerification,
} from '../contract.ts';
import {
  assertVerified,
  claimCookie,
  type ClaimCookie,
  KEYED_HASHES,
  type KeyedHashes,
} from '../http/buyer-proofs.ts';
import { FulfilCheckout } from '../commands/fulfil-checkout.ts';
import { VerifyPayment } from '../queries/verify-payment.ts';
import type { PaymentsApiConfig } from '../settings.ts';

@Controller('api')
export class ClaimsController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #cookie: ClaimCookie;
  readonly #hashes: KeyedHashes;
  readonly #verifiedEmail: VerifiedEmail;

  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(CONFIG) config: PaymentsApiConfig,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
    @Inject(VERIFIED_EMAIL) verifiedEmail: VerifiedEmail,
  ) {
    this.#commands = commands;
    this.#queries = queries;
    this.#cookie = claimCookie(config);
    this.#hashes = hashes;
    this.#verifiedEmail = verifiedEmail;
  }

  @Public()
  @Get('verify-payment/:sessionId')
  @ReadsFrom('checkouts')
  @Returns(200, PaymentVerification)
  async verify(
    @Param('sessionId') sessionId: string,
    @Req() request: FastifyRequest,
  ): Promise<PaymentVerification> {
    await this.#commands.execute(new FulfilCheckout(sessionId));
    const viewer = { accountId: request.account?.id, claimSecretHash: this.#cookie.hashOf(request) };
    return this.#queries.execute(new VerifyPayment(sessionId, viewer));
  }

  @Post('link-payment')
  @RateLimited('link-payment')
  @SendsCommands()
  @Returns(200, LinkedPayment)
  async link(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: LinkPaymentBody }) { sessionId }: LinkPaymentBody,
    @Req() request: FastifyRequest,
  ): Promise<LinkedPayment> {
    return this.#link(account, request, sessionId);
  }

  /** Also for an address that has bought nothing: the answer does not say what an address has bought. */
  @Post('claims/code')
  @RateLimited('claim-code')
  @SendsCommands()
  @Returns(201, ClaimCodeSent)
  async sendCode(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: ClaimCodeBody }) { email }: ClaimCodeBody,
    @Req() request: FastifyRequest,
  ): Promise<ClaimCodeSent> {
    await countByKey(request, 'claim-code-email', this.#hashes.ofEmail(email));
    const expiresAt = await this.#commands.execute(new RequestClaimCode(id, email));
    return { message: 'We have sent a code to this address: enter it within 30 minutes.', expiresAt };
  }

  @Post('claims')
  @RateLimited('link-payment')
  @SendsCommands()
  @Returns(200, LinkedPayment)
  async claim(
    @CurrentAccount() account: RequestAccount,
    @Body({ schema: ClaimBody }) { code }: ClaimBody,
    @Req() request: FastifyRequest,
  ): Promise<LinkedPayment> {
    assertVerified(await this.#verifiedEmail(account.id));
    await this.#commands.execute(new EnterClaimCode(account.id, code));
    return this.#link(account, request, undefined);
  }

  async #link(
    { id: accountId }: RequestAccount,
    request: FastifyRequest,
    sessionId: string | undefined,
  ): Promise<LinkedPayment> {
    const email = assertVerified(await this.#verifiedEmail(accountId));
    const claimant = { accountId, email, claimSecretHash: this.#cookie.hashOf(request) };
    return this.#commands.execute(new LinkPayment(claimant, sessionId));
  }
}
