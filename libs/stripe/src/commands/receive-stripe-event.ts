import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type EventStore, type Handle } from '@tapedeck/eventing';
import { DomainError, type Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import { CLOCK, CONFIG, EVENT_STORE } from '@tapedeck/platform/tokens';
import { appendStripeEvent } from '../inbox.ts';
import { stripeEventDecider, type ReceiveStripeEvent as Receive } from '../domain/stripe-event.ts';
import { stripeEvents } from '../events.ts';
import { eventOfBody } from '../event-body.ts';
import { assertSigned } from '../webhook-signature.ts';

/** Puts a webhook on the tape, and nothing else: all that follows from it begins there. */
export class ReceiveStripeEvent extends Command<void> {
  constructor(
    readonly body: Buffer,
    readonly signature: string | undefined,
  ) {
    super();
  }
}

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
    @Inject(CONFIG) { STRIPE_WEBHOOK_SECRET, STRIPE_SECRET_KEY }: ApiConfig,
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
