import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, type Clock } from '@tapedeck/kernel';
import { CLOCK, CONFIG, EVENT_STORE } from '@tapedeck/platform/tokens';
import { appendStripeEvent, eventOfBody } from '../inbox.ts';
import {
  type ReceiveStripeEvent as Receive,
  stripeEventDecider,
  stripeEvents,
} from '../domain/stripe-event.ts';
import { Stripe } from 'stripe';
import type { StripeApiConfig } from '../settings.ts';

/** Puts a webhook on the tape, and nothing else: all that follows from it begins there. */
export class ReceiveStripeEvent extends Command<void> {
  constructor(
    readonly body: Buffer,
    readonly signature: string | undefined,
  ) {
    super();
  }
}

/** A signature is valid for so long, so that a copied request cannot be sent again later. */
const toleranceSeconds = 300;

const wronglySigned = (): DomainError =>
  new DomainError(
    'invalid',
    'WEBHOOK_SIGNATURE_INVALID',
    'The signature of this webhook is missing, too old or of another secret: check STRIPE_WEBHOOK_SECRET.',
  );

/**
 * Checks the signature of a webhook over its bytes, with each of the secrets that are valid now.
 * @throws DomainError WEBHOOK_SIGNATURE_INVALID
 */
const assertSigned = (
  body: Buffer,
  signature: string | undefined,
  secrets: readonly string[],
  nowMs: number,
): void => {
  if (signature === undefined) throw wronglySigned();
  const isSigned = secrets.some((secret) => {
    try {
      const { webhooks } = Stripe;
      const { signature: signatures } = webhooks;
      return signatures?.verifyHeader(body, signature, secret, toleranceSeconds, undefined, nowMs) ?? false;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
      throw error;
    }
  });
  if (!isSigned) throw wronglySigned();
};

const notAnEvent = (): DomainError =>
  new DomainError(
    'invalid',
    'WEBHOOK_NOT_AN_EVENT',
    'The body is not an event of Stripe: an id, a type and a time are needed.',
  );

const ofAnotherAccount = (what: string): DomainError =>
  new DomainError(
    'invalid',
    'WEBHOOK_OF_ANOTHER_ACCOUNT',
    `This event is of ${what} than the secret key: correct the webhook endpoint in Stripe.`,
  );

const stripe = { id: 'stripe', kind: 'stripe' } as const;

@CommandHandler(ReceiveStripeEvent)
export class ReceiveStripeEventHandler implements ICommandHandler<ReceiveStripeEvent> {
  readonly #handle: Handle<Receive>;
  readonly #secrets: readonly string[];
  readonly #isLive: boolean;
  readonly #clock: Clock;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CONFIG) { STRIPE_WEBHOOK_SECRET, STRIPE_SECRET_KEY }: StripeApiConfig,
    @Inject(CLOCK) clock: Clock,
  ) {
    this.#handle = handle(store, stripeEventDecider, stripeEvents);
    this.#secrets = STRIPE_WEBHOOK_SECRET;
    this.#isLive = STRIPE_SECRET_KEY.includes('_live_');
    this.#clock = clock;
  }

  async execute({ body, signature }: ReceiveStripeEvent): Promise<void> {
    assertSigned(body, signature, this.#secrets, this.#clock.now());
    const event = eventOfBody(body.toString('utf8'));
    if (!event) throw notAnEvent();
    if (event.livemode !== this.#isLive) throw ofAnotherAccount('another mode');
    // Only Connect sends events of other accounts.
    if (event.account !== null) throw ofAnotherAccount('another account');
    const context = { actor: stripe, clock: this.#clock };
    await appendStripeEvent(this.#handle, { ...event, source: 'webhook' }, context);
  }
}
