import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { type EventStore, readable, readEvents, readStates, type ReadStream } from '@tapedeck/eventing';
import { DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { StripeReads } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import type { PaymentVerification } from '../contract.ts';
import { mayTakeOver } from '../domain/claim-purchase.ts';
import { termsOf } from '../domain/entitlement.ts';
import type { Subscription } from '../domain/subscription.ts';
import { checkoutEvents, checkoutStream, type IntentId } from '../domain/checkout.ts';
import { isSameHash } from '../http/buyer-proofs.ts';
import { intentOfSession, readPayment } from './payment-state.ts';
import { SHARED_READS, type SharedReads } from './shared-reads.ts';

/** The account and the browser that request it: knowing the id of a session does not prove a purchase. */
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
    'There is no payment at this address: open the link of the checkout page again.',
  );

const grantedTierOf = (subscription: Subscription): PaymentVerification['grantedTier'] => {
  const terms = termsOf(subscription);
  return terms?.phase === 'active' ? terms.tier : null;
};

@QueryHandler(VerifyPayment)
export class VerifyPaymentHandler implements IQueryHandler<VerifyPayment> {
  readonly #databases: Databases;
  readonly #sharedReads: SharedReads;
  readonly #store: EventStore;
  readonly #stripe: StripeReads;
  readonly #read: ReadStream;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(STRIPE) stripe: StripeReads,
    @Inject(SHARED_READS) sharedReads: SharedReads,
  ) {
    this.#databases = databases;
    this.#store = store;
    this.#stripe = stripe;
    this.#sharedReads = sharedReads;
    this.#read = readStates(store);
  }

  async execute({ sessionId, viewer }: VerifyPayment): Promise<PaymentVerification> {
    const finds = {
      pool: this.#databases.tapedeck,
      stripe: this.#stripe,
      sharedReads: this.#sharedReads,
    };
    const intentId = await intentOfSession(finds, sessionId);
    if (intentId === undefined) throw notFound();
    const { checkout, subscription, state } = await readPayment(this.#read, intentId);
    if (checkout.status === 'none') throw notFound();
    const { begun } = checkout;
    const owner = subscription.owner?.accountId ?? null;
    const isOwner = owner !== null && owner === viewer.accountId;
    const isPayer =
      viewer.claimSecretHash !== undefined &&
      begun.claimSecretHash !== null &&
      isSameHash(viewer.claimSecretHash, begun.claimSecretHash);
    const isBuyer =
      isPayer || (viewer.accountId !== undefined && [begun.accountId, owner].includes(viewer.accountId));
    return {
      success: state === 'paid',
      state,
      tier: begun.tier,
      period: begun.period,
      email: isBuyer ? await this.#emailOf(intentId) : null,
      subscriptionId: isBuyer && checkout.status === 'paid' ? checkout.subscriptionId : null,
      claimed: owner !== null,
      isOwner,
      grantedTier: isOwner ? grantedTierOf(subscription) : null,
      canTakeOver: isPayer && mayTakeOver(subscription) && !isOwner,
    };
  }

  async #emailOf(intentId: IntentId): Promise<string | null> {
    const [started] = await readEvents(this.#store, checkoutStream(intentId), checkoutEvents, { upTo: 1 });
    return started?.type === 'CheckoutStarted' ? readable(started.data.email, null) : null;
  }
}
