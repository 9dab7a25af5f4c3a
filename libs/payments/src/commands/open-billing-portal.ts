import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES } from '@tapedeck/platform/tokens';
import { paidByAnother } from '../domain/stripe-requests.ts';
import { customerOf } from '../projections/customers.ts';
import { liveSubscriptionOf, noSubscription } from '../projections/subscriptions.ts';
import type { StripePort } from '@tapedeck/stripe/port';
import { STRIPE } from '@tapedeck/stripe/sdk';

/** Opens Stripe's pages for cards and invoices; returns their address. */
export class OpenBillingPortal extends Command<string> {
  constructor(
    readonly accountId: AccountId,
    readonly returnUrl: string,
  ) {
    super();
  }
}

@CommandHandler(OpenBillingPortal)
export class OpenBillingPortalHandler implements ICommandHandler<OpenBillingPortal> {
  readonly #databases: Databases;
  readonly #stripe: StripePort;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(STRIPE) stripe: StripePort) {
    this.#databases = databases;
    this.#stripe = stripe;
  }

  async execute({ accountId, returnUrl }: OpenBillingPortal): Promise<string> {
    const customerId = await customerOf(this.#databases.tapedeck, accountId);
    if (customerId === null) {
      const live = await liveSubscriptionOf(this.#databases.tapedeck, accountId);
      throw live === undefined ? noSubscription() : paidByAnother();
    }
    return (await this.#stripe.createPortalSession({ customerId, returnUrl })).url;
  }
}
