import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import { DomainError, isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { checkouts, subscriptions } from '../command-targets.ts';
import type { PaymentState, PaymentVerification } from '../contract.ts';
import type { Checkout } from '../domain/checkout.ts';
import { termsOf } from '../domain/entitlement.ts';
import type { Subscription } from '../domain/subscription.ts';
import { recordSnapshot } from '../recording/record-snapshot.ts';
import { checkoutStream, subscriptionStream, type CheckoutStarted, type IntentId } from '../events.ts';
import { isSameHash } from '../http/keyed-hashes.ts';
import { directCommands, type DirectCommands } from '../recording/direct-commands.ts';
import type { StripePort } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';

/** Who asks: an address that names a session is no proof of having bought. */
export type Viewer = Readonly<{ accountId: AccountId | undefined; claimSecretHash: string | undefined }>;

export class VerifyPayment extends Query<PaymentVerification> {
  constructor(
    readonly sessionId: string,
    readonly viewer: Viewer,
  ) {
    super();
  }
}

const notFound = (): DomainError =>
  new DomainError(
    'not-found',
    'PAYMENT_NOT_FOUND',
    'There is no payment with this address: open the link of the checkout page again.',
  );

/** Linear: one character class. */
const sessionPattern = /^cs_[A-Za-z0-9_]{1,200}$/;

const stateOf = (checkout: Checkout, subscription: Subscription): PaymentState => {
  if (checkout.status === 'refused') return 'failed';
  if (checkout.status === 'expired') return 'expired';
  switch (termsOf(subscription)?.phase) {
    case 'active':
    case 'past-due':
    case 'suspended':
    case 'ended':
      return 'paid';
    case 'abandoned':
      return 'failed';
    case 'pending':
    case undefined:
      return 'processing';
  }
};

@QueryHandler(VerifyPayment)
export class VerifyPaymentHandler implements IQueryHandler<VerifyPayment> {
  readonly #databases: Databases;
  readonly #store: EventStore;
  readonly #stripe: StripePort;
  readonly #commands: DirectCommands;
  readonly #clock: Clock;
  readonly #unclaimedRefundDays: number;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(STRIPE) stripe: StripePort,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) { UNCLAIMED_REFUND_DAYS }: ApiConfig,
  ) {
    this.#databases = databases;
    this.#store = store;
    this.#stripe = stripe;
    this.#commands = directCommands(store, clock);
    this.#clock = clock;
    this.#unclaimedRefundDays = UNCLAIMED_REFUND_DAYS;
  }

  async execute({ sessionId, viewer }: VerifyPayment): Promise<PaymentVerification> {
    const intentId = await this.#intentOf(sessionId);
    let { checkout, subscription } = await this.#statesOf(intentId);
    if (stateOf(checkout, subscription) === 'processing') {
      await this.#fulfil(sessionId);
      ({ checkout, subscription } = await this.#statesOf(intentId));
    }
    if (checkout.status === 'none') throw notFound();
    const { begun } = checkout;
    const owner = subscription.owner?.accountId ?? null;
    const isBuyer =
      (viewer.accountId !== undefined && [begun.accountId, owner].includes(viewer.accountId)) ||
      (viewer.claimSecretHash !== undefined &&
        begun.claimSecretHash !== null &&
        isSameHash(viewer.claimSecretHash, begun.claimSecretHash));
    const state = stateOf(checkout, subscription);
    return {
      success: state === 'paid',
      state,
      tier: begun.tier,
      period: begun.period,
      email: isBuyer ? await this.#emailOf(intentId) : null,
      subscriptionId: isBuyer && checkout.status === 'paid' ? checkout.subscriptionId : null,
      claimed: owner !== null,
    };
  }

  async #intentOf(sessionId: string): Promise<IntentId> {
    if (!sessionPattern.test(sessionId)) throw notFound();
    const { rows } = await this.#databases.tapedeck.query<{ intent_id: string }>(
      'select intent_id from checkouts where session_id = $1',
      [sessionId],
    );
    const [row] = rows;
    if (row) return row.intent_id;
    // The read model may not have reached a session that was made just now.
    const session = await this.#stripe.readSession(sessionId);
    if (session?.intentId) return session.intentId;
    throw notFound();
  }

  async #statesOf(intentId: IntentId): Promise<Readonly<{ checkout: Checkout; subscription: Subscription }>> {
    const { read } = this.#commands;
    const checkout = await read(checkouts, checkoutStream(intentId));
    const subscription =
      checkout.status === 'paid'
        ? await read(subscriptions, subscriptionStream(checkout.subscriptionId))
        : subscriptions.decider.initialState;
    return { checkout, subscription };
  }

  /** The browser may be here before the webhook. Its answer must not wait for it, and may be repeated. */
  async #fulfil(sessionId: string): Promise<void> {
    const session = await this.#stripe.readSession(sessionId);
    if (session?.status !== 'complete' || session.subscriptionId === null) return;
    const snapshot = await this.#stripe.readSubscription(session.subscriptionId, 'newest');
    if (!snapshot) return;
    const options = {
      unclaimedRefundDays: this.#unclaimedRefundDays,
      isSweep: false,
      sessionId,
      now: isoNow(this.#clock),
    };
    await this.#commands.send(await recordSnapshot(snapshot, this.#commands.read, options));
  }

  async #emailOf(intentId: IntentId): Promise<string | null> {
    const [started] = await this.#store.readStream(checkoutStream(intentId), { upTo: 1 });
    return started ? readable((started as RecordedEvent<CheckoutStarted>).data.email, null) : null;
  }
}
