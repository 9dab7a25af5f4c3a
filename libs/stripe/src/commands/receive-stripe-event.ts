import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, type Clock } from '@tapedeck/kernel';
import type { DailyCounter } from '@tapedeck/platform/daily-counts';
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

/** Checks the signature of a webhook over its bytes, with each of the secrets that are valid now. */
const isSigned = (
  body: Buffer,
  signature: string | undefined,
  secrets: readonly string[],
  nowMs: number,
): boolean => {
  if (signature === undefined) return false;
  return secrets.some((secret) => {
    try {
      const { webhooks } = Stripe;
      const { signature: signatures } = webhooks;
      return signatures?.verifyHeader(body, signature, secret, toleranceSeconds, undefined, nowMs) ?? false;
    } catch (error) {
      if (error instanceof Stripe.errors.StripeSignatureVerificationError) return false;
      throw error;
    }
  });
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

/** Counts webhooks whose signature is not valid: the only trace of them, since none is put on the tape. */
export const WRONGLY_SIGNED = Symbol('WronglySigned');
export const wronglySignedName = 'webhook-signature-invalid';

@CommandHandler(ReceiveStripeEvent)
export class ReceiveStripeEventHandler implements ICommandHandler<ReceiveStripeEvent> {
  readonly #handle: Handle<Receive>;
  readonly #secrets: readonly string[];
  readonly #isLive: boolean;
  readonly #clock: Clock;
  readonly #wronglySigned: DailyCounter;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CONFIG) { STRIPE_WEBHOOK_SECRET, STRIPE_SECRET_KEY }: StripeApiConfig,
    @Inject(CLOCK) clock: Clock,
    @Inject(WRONGLY_SIGNED) counter: DailyCounter,
  ) {
    this.#handle = handle(store, stripeEventDecider, stripeEvents);
    this.#secrets = STRIPE_WEBHOOK_SECRET;
    this.#isLive = STRIPE_SECRET_KEY.includes('_live_');
    this.#clock = clock;
    this.#wronglySigned = counter;
  }

  /** @throws DomainError WEBHOOK_SIGNATURE_INVALID */
  #assertSigned({ body, signature }: ReceiveStripeEvent): void {
    if (isSigned(body, signature, this.#secrets, this.#clock.now())) return;
    this.#wronglySigned.count();
    throw wronglySigned();
  }

  async execute(command: ReceiveStripeEvent): Promise<void> {
    this.#assertSigned(command);
    const event = eventOfBody(command.body.toString('utf8'));
    if (!event) throw notAnEvent();
    if (event.livemode !== this.#isLive) throw ofAnotherAccount('another mode');
    // Only Connect sends events of other accounts.
    if (event.account !== null) throw ofAnotherAccount('another account');
    const context = { actor: stripe, clock: this.#clock };
    await appendStripeEvent(this.#handle, { ...event, source: 'webhook' }, context);
  }
}
