import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { EventStore } from '@tapedeck/eventing';
import { isoNow, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import { intentOfSession, readPayment } from '../queries/payment-state.ts';
import { SHARED_READS, type SharedReads } from '../queries/shared-reads.ts';
import { directCommands, type DirectCommands } from '../recording/direct-commands.ts';
import { observeSubscription } from '../recording/observe-subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';
import type { PaymentsApiConfig } from '../settings.ts';

/**
 * Records a payment whose outcome is not on the tape yet: the browser may return before the webhook arrives. May be
 * repeated; does nothing for a session that is not ours.
 */
export class FulfilCheckout extends Command<void> {
  constructor(readonly sessionId: string) {
    super();
  }
}

@CommandHandler(FulfilCheckout)
export class FulfilCheckoutHandler implements ICommandHandler<FulfilCheckout> {
  readonly #databases: Databases;
  readonly #sharedReads: SharedReads;
  readonly #stripe: StripeReads;
  readonly #commands: DirectCommands;
  readonly #clock: Clock;
  readonly #unclaimedRefundDays: number;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(STRIPE) stripe: StripeReads,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) { UNCLAIMED_REFUND_DAYS }: PaymentsApiConfig,
    @Inject(SHARED_READS) sharedReads: SharedReads,
  ) {
    this.#databases = databases;
    this.#stripe = stripe;
    this.#sharedReads = sharedReads;
    this.#commands = directCommands(store, clock);
    this.#clock = clock;
    this.#unclaimedRefundDays = UNCLAIMED_REFUND_DAYS;
  }

  async execute({ sessionId }: FulfilCheckout): Promise<void> {
    const finds = {
      pool: this.#databases.tapedeck,
      stripe: this.#stripe,
      sharedReads: this.#sharedReads,
    };
    const intentId = await intentOfSession(finds, sessionId);
    if (intentId === undefined) return;
    const { state } = await readPayment(this.#commands.read, intentId);
    if (state !== 'processing') return;
    await this.#sharedReads.read(`payment ${sessionId}`, () => this.#record(sessionId));
  }

  async #record(sessionId: string): Promise<void> {
    const session = await this.#stripe.readSession(sessionId);
    if (session?.status !== 'complete' || session.subscriptionId === null) return;
    const { read } = this.#commands;
    const snapshot = await observeSubscription(this.#stripe, read, session.subscriptionId, 'newest');
    if (!snapshot) return;
    const options = {
      unclaimedRefundDays: this.#unclaimedRefundDays,
      isSweep: false,
      sessionId,
      now: isoNow(this.#clock),
    };
    await this.#commands.send(await recordSnapshot(snapshot, this.#commands.read, options));
  }
}
