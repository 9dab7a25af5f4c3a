import { Body, Controller, Delete, Get, Inject, Param, Post, Req } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { isoNow, type Clock } from '@tapedeck/kernel';
import {
  CurrentAccount,
  ReadsFrom,
  RequestSignal,
  Returns,
  SendsCommands,
  StreamCommand,
  type RequestAccount,
} from '@tapedeck/platform/http';
import { CLOCK, CONFIG } from '@tapedeck/platform/tokens';
import type { FastifyRequest } from 'fastify';
import { OpenBillingPortal } from '../commands/open-billing-portal.ts';
import { OpenPaymentPage } from '../commands/open-payment-page.ts';
import { RequestBillingChange } from '../commands/request-billing-change.ts';
import {
  Billing,
  BillingChange,
  BillingPortal,
  PaymentPage,
  CancelBody,
  ChangePlanBody,
  ChangePreview,
  SubscriptionBody,
  WithdrawBody,
  WithdrawalReceived,
  InvoiceLinks,
} from '../contract.ts';
import { subscriptions } from '../domain/decide-subscription.ts';
import { amountBack } from '../domain/purchase-return.ts';
import { subscriptionStream, type StripeRequest } from '../domain/subscription-events.ts';
import { withdrawalMessage } from '../domain/texts.ts';
import { assertShown, PREVIEWS, type Previews } from '../http/previews.ts';
import { PreviewChange } from '../queries/preview-change.ts';
import { ShowBilling } from '../queries/show-billing.ts';
import { ShowInvoice } from '../queries/show-invoice.ts';
import { returnOrigin } from '../http/return-origin.ts';
import type { PaymentsApiConfig } from '../settings.ts';

@Controller('api')
export class BillingController {
  readonly #commands: CommandBus;
  readonly #queries: QueryBus;
  readonly #config: PaymentsApiConfig;
  readonly #previews: Previews;
  readonly #clock: Clock;

  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(CONFIG) config: PaymentsApiConfig,
    @Inject(PREVIEWS) previews: Previews,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#commands = commands;
    this.#queries = queries;
    this.#config = config;
    this.#previews = previews;
    this.#clock = clock;
  }

  @Get('membership/billing')
  @ReadsFrom('subscriptions')
  @Returns(200, Billing)
  billing(@CurrentAccount() { id }: RequestAccount): Promise<Billing> {
    return this.#queries.execute(new ShowBilling(id));
  }

  @Get('membership/invoices/:invoiceId')
  @Returns(200, InvoiceLinks, { description: 'Where the payment provider shows the invoice of a payment' })
  invoice(
    @CurrentAccount() { id }: RequestAccount,
    @Param('invoiceId') invoiceId: string,
  ): Promise<InvoiceLinks> {
    return this.#queries.execute(new ShowInvoice(id, invoiceId));
  }

  @Post('cancel-subscription')
  @SendsCommands()
  @Returns(200, BillingChange)
  cancel(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: CancelBody }) body: CancelBody,
    @RequestSignal() signal: AbortSignal,
  ): Promise<BillingChange> {
    const request = { kind: 'cancel', reason: body?.reason ?? null } as const;
    return this.#commands.execute(
      new RequestBillingChange(id, request, {
        comment: body?.comment ?? null,
        signal,
        subscriptionId: body?.subscriptionId,
      }),
    );
  }

  @Post('membership/resume')
  @SendsCommands()
  @Returns(200, BillingChange)
  resume(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: SubscriptionBody }) body: SubscriptionBody,
    @RequestSignal() signal: AbortSignal,
  ): Promise<BillingChange> {
    const options = { signal, subscriptionId: body?.subscriptionId };
    return this.#commands.execute(new RequestBillingChange(id, { kind: 'resume' }, options));
  }

  @Post('membership/withdraw')
  @SendsCommands()
  @Returns(200, WithdrawalReceived, { description: 'The contract has ended, and its payment goes back' })
  async withdraw(
    @CurrentAccount() { id: accountId }: RequestAccount,
    @Body({ schema: WithdrawBody }) { subscriptionId }: WithdrawBody,
  ): Promise<WithdrawalReceived> {
    const now = isoNow(this.#clock);
    const days = this.#config.WITHDRAWAL_DAYS;
    const command = { type: 'WithdrawFromContract', accountId, days, now } as const;
    const state = await this.#commands.execute(
      new StreamCommand(subscriptions, subscriptionStream(subscriptionId), command),
    );
    const receivedAt = state.purchaseReturn?.begunAt ?? now;
    return { receivedAt, message: withdrawalMessage(receivedAt, amountBack(state).isDisputed) };
  }

  @Post('membership/change/preview')
  @Returns(200, ChangePreview)
  preview(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: ChangePlanBody }) { tier, period }: ChangePlanBody,
  ): Promise<ChangePreview> {
    return this.#queries.execute(new PreviewChange(id, { tier, period }));
  }

  @Post('membership/change')
  @SendsCommands()
  @Returns(200, BillingChange)
  async change(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: ChangePlanBody }) body: ChangePlanBody,
    @RequestSignal() signal: AbortSignal,
  ): Promise<BillingChange> {
    const { request, subscriptionId } = await this.#requestOf(id, body);
    return this.#commands.execute(new RequestBillingChange(id, request, { signal, subscriptionId }));
  }

  @Delete('membership/change')
  @SendsCommands()
  @Returns(200, BillingChange)
  keepPlan(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: SubscriptionBody }) body: SubscriptionBody,
    @RequestSignal() signal: AbortSignal,
  ): Promise<BillingChange> {
    const options = { signal, subscriptionId: body?.subscriptionId };
    return this.#commands.execute(new RequestBillingChange(id, { kind: 'keep-plan' }, options));
  }

  @Post('create-billing-portal')
  @Returns(201, BillingPortal)
  async portal(
    @CurrentAccount() { id }: RequestAccount,
    @Req() request: FastifyRequest,
  ): Promise<BillingPortal> {
    const returnUrl = `${returnOrigin(request, this.#config)}/?section=my-account`;
    return { url: await this.#commands.execute(new OpenBillingPortal(id, returnUrl)) };
  }

  @Post('membership/payment-page')
  @Returns(201, PaymentPage, { description: 'The page of the invoice that is to be paid or confirmed' })
  paymentPage(
    @CurrentAccount() { id }: RequestAccount,
    @Body({ schema: SubscriptionBody }) body: SubscriptionBody,
  ): Promise<PaymentPage> {
    return this.#commands.execute(new OpenPaymentPage(id, body?.subscriptionId));
  }

  /** Charges what was shown; what was not shown is computed now. */
  async #requestOf(
    id: RequestAccount['id'],
    { tier, period, previewId }: ChangePlanBody,
  ): Promise<Readonly<{ request: StripeRequest; subscriptionId: string }>> {
    const plan = { tier, period };
    const { kind, previewId: own } = await this.#queries.execute(new PreviewChange(id, plan));
    const current = this.#previews.open(own, isoNow(this.#clock));
    const shown = previewId === undefined ? current : this.#previews.open(previewId, isoNow(this.#clock));
    assertShown(shown, current);
    const { subscriptionId, prorationDate, dueNow: expectedAmount } = shown;
    const request: StripeRequest =
      kind === 'downgrade' ? { kind, plan } : { kind, plan, prorationDate, expectedAmount };
    return { request, subscriptionId };
  }
}
