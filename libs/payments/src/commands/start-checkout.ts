import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { handle, type Actor, type CommandContext, type EventStore, type Handle } from '@tapedeck/eventing';
import { derivedId, DomainError, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { requestCommandContext } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { BuyerId } from '../domain/buyer.ts';
import {
  type Checkout,
  type CheckoutCommand,
  checkoutDecider,
  checkoutEvents,
  checkoutStream,
  intentSubject,
} from '../domain/checkout.ts';
import type { Plan } from '@tapedeck/plans/contract';
import { KEYED_HASHES, type KeyedHashes } from '../http/buyer-proofs.ts';
import { INTRO_AVAILABILITY, type IntroAvailability } from '../prices/intro-availability.ts';
import { hasIntro } from '../prices/plan-prices.ts';
import { customerOf } from '../projections/customers.ts';
import { assertMayBuy } from '../projections/subscriptions.ts';
import type { StripePort } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';
import { introReservations, type ReserveIntro } from './intro-reservations.ts';
import { openCheckouts, type OpenCheckouts } from './open-checkouts.ts';

/** A signed-in account, or a browser that has given an address. */
export type Buyer =
  | Readonly<{ accountId: AccountId; email: string; claimSecretHash: string | undefined }>
  | Readonly<{ accountId: null; email: string; claimSecretHash: string }>;

/** Makes a checkout session; returns the address of its page. */
export class StartCheckout extends Command<string> {
  constructor(
    readonly plan: Plan,
    readonly buyer: Buyer,
    /** Of the page to which the buyer returns. */
    readonly origin: string,
  ) {
    super();
  }
}

const actorOf = (buyer: Buyer): Actor | undefined =>
  // The browser identifies a visitor, so that a repeated request is recognised.
  buyer.accountId === null ? { id: `browser:${buyer.claimSecretHash}`, kind: 'visitor' } : undefined;

/** A visitor may have begun one before signing in. */
const buyerIdsOf = ({ accountId, claimSecretHash }: Buyer): readonly BuyerId[] =>
  [accountId, claimSecretHash].filter((id) => typeof id === 'string');

const isIntroRefused = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'INTRO_PRICE_REFUSED';

const replaced = (): DomainError =>
  new DomainError(
    'conflict',
    'CHECKOUT_REPLACED',
    'You have started another checkout in the meantime: continue there. Nothing was charged.',
  );

@CommandHandler(StartCheckout)
export class StartCheckoutHandler implements ICommandHandler<StartCheckout> {
  readonly #databases: Databases;
  readonly #checkouts: Handle<CheckoutCommand, Checkout>;
  readonly #open: OpenCheckouts;
  readonly #reserveIntro: ReserveIntro;
  readonly #stripe: StripePort;
  readonly #hashes: KeyedHashes;
  readonly #introPrice: IntroAvailability;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(STRIPE) stripe: StripePort,
    @Inject(KEYED_HASHES) hashes: KeyedHashes,
    @Inject(INTRO_AVAILABILITY) introPrice: IntroAvailability,
  ) {
    this.#databases = databases;
    this.#checkouts = handle(store, checkoutDecider, checkoutEvents);
    this.#open = openCheckouts(store, stripe);
    this.#reserveIntro = introReservations(store, this.#open);
    this.#stripe = stripe;
    this.#hashes = hashes;
    this.#introPrice = introPrice;
  }

  async execute({ plan, buyer, origin }: StartCheckout): Promise<string> {
    const { accountId, email } = buyer;
    const actor = actorOf(buyer);
    const context = requestCommandContext(actor ? { actor } : {});
    if (accountId !== null) await assertMayBuy(this.#databases.tapedeck, accountId);
    const intentId = derivedId('checkout intent', context.commandId);
    const emailHash = this.#hashes.ofEmail(email);
    const claimSecretHash = accountId === null ? buyer.claimSecretHash : null;
    const contextOf = (part: string): CommandContext =>
      requestCommandContext({ ...(actor ? { actor } : {}), part });
    const buyerIds = buyerIdsOf(buyer);
    await this.#open.begin(intentId, buyerIds, contextOf);
    const intro =
      hasIntro(plan) &&
      this.#introPrice.isAvailable() &&
      (await this.#reserveIntro({ intentId, buyer: { accountId, emailHash, claimSecretHash }, contextOf }));
    const stream = checkoutStream(intentId);
    await this.#checkouts(
      stream,
      {
        type: 'StartCheckout',
        checkout: {
          intentId,
          accountId,
          email,
          emailHash,
          tier: plan.tier,
          period: plan.period,
          intro,
          claimSecretHash,
          personalSubject: accountId ?? intentSubject(intentId),
        },
      },
      context,
    );
    const customerId = accountId === null ? null : await customerOf(this.#databases.tapedeck, accountId);
    const session = await this.#createSession({
      key: intentId,
      intentId,
      plan,
      email,
      customerId,
      intro,
      successUrl: `${origin}/payment-success?session_id={CHECKOUT_SESSION_ID}&authenticated=${String(accountId !== null)}`,
      cancelUrl: `${origin}/#pricing`,
    }).catch(async (error: unknown) => {
      // Nothing was shown that could be paid: the buyer begins again, at the list price.
      if (isIntroRefused(error)) await this.#open.end(intentId, contextOf('no intro price'));
      throw error;
    });
    const { sessionId, url, expiresAt } = session;
    const opened = { type: 'OpenCheckoutSession', sessionId, expiresAt } as const;
    const { state } = await this.#checkouts(stream, opened, contextOf('session'));
    if (state.status === 'paid' || (await this.#open.isNewest(intentId, buyerIds))) return url;
    // A newer one was begun before this one had a session that it could end.
    await this.#stripe.expireSession({ key: `expire-${sessionId}`, sessionId });
    await this.#open.end(intentId, contextOf('replaced'));
    throw replaced();
  }

  async #createSession(
    session: Parameters<StripePort['createSession']>[0],
  ): ReturnType<StripePort['createSession']> {
    try {
      return await this.#stripe.createSession(session);
    } catch (error) {
      if (isIntroRefused(error)) this.#introPrice.setRefused();
      throw error;
    }
  }
}
