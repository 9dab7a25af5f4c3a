import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, readEvents, type EventStore } from '@tapedeck/eventing';
import { accountStream, identityEvents, presentEmailIn } from '@tapedeck/identity/events';
import { isoNow, type AccountId, type Clock } from '@tapedeck/kernel';
import {
  billingAddressIn,
  checkoutEvents,
  checkoutStream,
  subscriptionEvents,
  subscriptionStream,
  unpaidReason,
} from '@tapedeck/payments/events';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, CONFIG, DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { MemberTier as MemberTierAnswer } from '../contract.ts';
import { accessAt, daysLeft, featuresOf, type Access } from '../domain/access.ts';
import type { Membership, MemberSubscription } from '../domain/membership.ts';
import { readMembership } from '../projections/memberships.ts';
import type { MembershipConfig } from '../settings.ts';

export class MemberTier extends Query<MemberTierAnswer> {
  constructor(
    readonly accountId: AccountId,
    readonly roles: readonly string[],
  ) {
    super();
  }
}

const renewalOf = ({ status, subscription }: Access): string | null =>
  status === 'active' && subscription && subscription.endsAt === null ? subscription.paidUntil : null;

const grantOf = (membership: Membership, now: string): MemberTierAnswer['complimentary'] => {
  const { status, tier, until } = accessAt({ ...membership, subscriptions: [] }, now);
  return status === 'complimentary' ? { tier, until } : null;
};

const isActive: Readonly<Record<Access['status'], boolean>> = {
  none: true,
  active: true,
  grace: true,
  complimentary: true,
  pending: false,
  suspended: false,
  ended: false,
};

type FailedPayment = Pick<MemberTierAnswer, 'hasFailedPayment' | 'failureReason' | 'nextAttemptAt'>;

const noFailure: FailedPayment = { hasFailedPayment: false, failureReason: null, nextAttemptAt: null };

/** An end by the member's own wish, ahead or passed. */
const statusesWithEnd: readonly string[] = ['active', 'grace', 'ended'];

@QueryHandler(MemberTier)
export class MemberTierHandler implements IQueryHandler<MemberTier> {
  readonly #databases: Databases;
  readonly #store: EventStore;
  readonly #clock: Clock;
  readonly #entitlements: MembershipConfig['ENTITLEMENTS'];

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(CONFIG) { ENTITLEMENTS }: MembershipConfig,
  ) {
    this.#databases = databases;
    this.#store = store;
    this.#clock = clock;
    this.#entitlements = ENTITLEMENTS;
  }

  async execute({ accountId, roles }: MemberTier): Promise<MemberTierAnswer> {
    const membership = await readMembership(this.#databases, accountId);
    const now = isoNow(this.#clock);
    const access = accessAt(membership, now);
    const { tier, status, period, subscription } = access;
    return {
      tier,
      active: isActive[status],
      renewalDate: renewalOf(access),
      stripeCustomerEmail: subscription && (await this.#payingAddress(subscription, accountId)),
      status,
      period,
      endsAt: statusesWithEnd.includes(status) ? (subscription?.endsAt ?? null) : null,
      graceUntil: status === 'grace' ? access.until : null,
      graceDaysLeft: status === 'grace' ? daysLeft(access, now) : null,
      ...(await this.#failedPayment(access, now)),
      complimentary: grantOf(membership, now),
      features: [...featuresOf(tier, this.#entitlements, roles)],
    };
  }

  /** From the subscription: the membership's own events do not contain the attempts. */
  async #failedPayment({ status, subscription }: Access, now: string): Promise<FailedPayment> {
    if (status !== 'grace' || !subscription) return noFailure;
    const stream = subscriptionStream(subscription.subscriptionId);
    const events = await readEvents(this.#store, stream, subscriptionEvents);
    const newest = events.findLast((event) => event.type === 'EntitlementChanged');
    if (newest?.data.phase !== 'past-due') return noFailure;
    const { nextAttemptAt } = newest.data;
    return {
      hasFailedPayment: true,
      failureReason: unpaidReason(events),
      nextAttemptAt: nextAttemptAt !== null && nextAttemptAt > now ? nextAttemptAt : null,
    };
  }

  /** Where receipts go; null where another account pays, whose address the member does not see. No read model contains it. */
  async #payingAddress({ subscriptionId }: MemberSubscription, account: AccountId): Promise<string | null> {
    const events = await readEvents(this.#store, subscriptionStream(subscriptionId), subscriptionEvents);
    const { of, accountId, intentId } = billingAddressIn(events);
    if (accountId !== account) return null;
    const [started] = intentId
      ? await readEvents(this.#store, checkoutStream(intentId), checkoutEvents, { upTo: 1 })
      : [];
    const checkout = started?.type === 'CheckoutStarted' ? started.data : undefined;
    const typed = checkout ? readable(checkout.email, null) : null;
    if (of === 'billing' && checkout?.accountId === null) return typed;
    const own = presentEmailIn(await readEvents(this.#store, accountStream(account), identityEvents));
    return own ?? (checkout?.accountId === account ? typed : null);
  }
}
