import {
  commandTarget,
  defineEvents,
  type Decider,
  type DomainEvent,
  type Personal,
} from '@tapedeck/eventing/core';
import { DomainError, type AccountId, dayMs, daysAfter, conflict } from '@tapedeck/kernel';
import { planKey, type Plan } from '@tapedeck/plans/contract';

/** What a part of the subscriptions of a plan pays, in minor units. */
export type PaidAmount = Readonly<{ amount: number; currency: string; subscriptions: number }>;

/** From a date on the members of a plan who pay another amount pay the one at which it is sold. */
export type PriceChangeAnnounced = DomainEvent<
  'PriceChangeAnnounced',
  {
    announcementId: string;
    plan: Plan;
    /** At which the plan is sold, in minor units. */
    amount: number;
    currency: string;
    /** Renewals before it are charged as before. */
    from: string;
    /** At least so many days lie between the notice to a member and the first renewal at the new price. */
    noticeDays: number;
    /** What was shown to the admin who has announced it. */
    formerAmounts: readonly PaidAmount[];
    by: AccountId;
    announcedAt: string;
    reason: Personal<string>;
    personalSubject: string;
  }
>;

export type PriceChangeWithdrawn = DomainEvent<
  'PriceChangeWithdrawn',
  {
    announcementId: string;
    plan: Plan;
    by: AccountId;
    withdrawnAt: string;
    reason: Personal<string>;
    personalSubject: string;
  }
>;

export type PriceChangeEvent = PriceChangeAnnounced | PriceChangeWithdrawn;

const reasoned = { version: 1, personal: ['reason'], subject: 'personalSubject' } as const;

export const priceChangeEvents = defineEvents<PriceChangeEvent>({
  PriceChangeAnnounced: reasoned,
  PriceChangeWithdrawn: reasoned,
});

/** Of one plan: its expected version decides between two announcements at once. */
export const priceStream = (plan: Plan): string => `price-${planKey(plan)}`;

/** The key of the reasons of one announcement. */
export const priceSubject = (announcementId: string): string => `price:${announcementId}`;

export type Announcement = Pick<
  PriceChangeAnnounced['data'],
  'announcementId' | 'plan' | 'amount' | 'currency' | 'from' | 'noticeDays' | 'announcedAt'
>;

/** The newest announcement of a plan. */
export type PriceChange =
  | Readonly<{ status: 'none' }>
  | Readonly<{
      status: 'announced' | 'withdrawn';
      announcement: Announcement;
      /** Ids, also of earlier ones: what is withdrawn stays so, whatever is announced next. */
      withdrawn: readonly string[];
    }>;

export type AnnouncePriceChange = Readonly<{
  type: 'AnnouncePriceChange';
  announcementId: string;
  plan: Plan;
  amount: number;
  currency: string;
  from: string;
  noticeDays: number;
  formerAmounts: readonly PaidAmount[];
  by: AccountId;
  reason: string;
  now: string;
}>;

export type WithdrawPriceChange = Readonly<{
  type: 'WithdrawPriceChange';
  announcementId: string;
  by: AccountId;
  reason: string;
  now: string;
}>;

export type PriceChangeCommand = AnnouncePriceChange | WithdrawPriceChange;

const hourMs = 3_600_000;

/** The first day, in UTC, that begins at least so many days after an instant. */
export const firstDayAfter = (now: string, noticeDays: number): string => {
  const earliest = Date.parse(now) + noticeDays * dayMs;
  return new Date(Math.ceil(earliest / dayMs) * dayMs).toISOString();
};

/** What is withdrawn has to arrive at Stripe before the first renewal that it is about. */
export const withdrawableUntil = ({ from }: Pick<Announcement, 'from'>): string =>
  new Date(Date.parse(from) - hourMs).toISOString();

/** @throws DomainError PRICE_ANNOUNCED */
export const assertMayAnnounce = (
  state: PriceChange,
  { amount, currency, now }: Pick<AnnouncePriceChange, 'amount' | 'currency' | 'now'>,
): void => {
  if (state.status !== 'announced') return;
  const { announcement } = state;
  if (announcement.from > now)
    throw conflict(
      'PRICE_ANNOUNCED',
      'A price of this plan is announced already: withdraw that first, or wait until it has taken effect.',
    );
  if (announcement.amount === amount && announcement.currency === currency)
    throw conflict(
      'PRICE_ANNOUNCED',
      'This price was announced already: members who do not pay it yet are still being notified.',
    );
};

/** Further ahead is a slip of the pen. */
const maxAheadDays = 730;

/** @throws DomainError NOTICE_TOO_SHORT, PRICE_TOO_LATE, NO_FORMER_PRICE */
export const assertAnnounceable = ({
  from,
  noticeDays,
  formerAmounts,
  now,
}: Pick<AnnouncePriceChange, 'from' | 'noticeDays' | 'formerAmounts' | 'now'>): void => {
  if (from < firstDayAfter(now, noticeDays))
    throw new DomainError(
      'invalid',
      'NOTICE_TOO_SHORT',
      `Members are notified at least ${noticeDays} days before: choose ${firstDayAfter(now, noticeDays).slice(0, 10)} or a later day.`,
    );
  if (from > daysAfter(now, maxAheadDays))
    throw new DomainError(
      'invalid',
      'PRICE_TOO_LATE',
      'This is more than two years ahead: choose an earlier day.',
    );
  if (formerAmounts.length === 0)
    throw conflict('NO_FORMER_PRICE', 'All members of this plan pay the price at which it is sold.');
};

const announce = (command: AnnouncePriceChange, state: PriceChange): readonly PriceChangeEvent[] => {
  const { type: _type, now: announcedAt, ...announced } = command;
  const { announcementId } = announced;
  if (state.status !== 'none' && state.announcement.announcementId === announcementId) return [];
  assertMayAnnounce(state, command);
  assertAnnounceable(command);
  const personalSubject = priceSubject(announcementId);
  return [{ type: 'PriceChangeAnnounced', data: { ...announced, announcedAt, personalSubject } }];
};

const withdraw = (
  { announcementId, by, reason, now }: WithdrawPriceChange,
  state: PriceChange,
): readonly PriceChangeEvent[] => {
  if (state.status === 'none' || state.announcement.announcementId !== announcementId)
    throw new DomainError(
      'not-found',
      'NO_ANNOUNCEMENT',
      'There is no such announcement any more: reload the page.',
    );
  if (state.status === 'withdrawn') return [];
  if (now >= withdrawableUntil(state.announcement))
    throw conflict(
      'PRICE_IN_EFFECT',
      'The price takes effect now, and cannot be withdrawn any more: announce another one.',
    );
  const { plan } = state.announcement;
  const personalSubject = priceSubject(announcementId);
  return [
    {
      type: 'PriceChangeWithdrawn',
      data: { announcementId, plan, by, withdrawnAt: now, reason, personalSubject },
    },
  ];
};

const decide = (command: PriceChangeCommand, state: PriceChange): readonly PriceChangeEvent[] =>
  command.type === 'AnnouncePriceChange' ? announce(command, state) : withdraw(command, state);

/** The ids of all announcements of the plan that were withdrawn. */
export const withdrawnIn = (state: PriceChange): readonly string[] =>
  state.status === 'none' ? [] : state.withdrawn;

const evolve = (state: PriceChange, { type, data }: PriceChangeEvent): PriceChange => {
  switch (type) {
    case 'PriceChangeAnnounced': {
      const { announcementId, plan, amount, currency, from, noticeDays, announcedAt } = data;
      const announcement = { announcementId, plan, amount, currency, from, noticeDays, announcedAt };
      return { status: 'announced', announcement, withdrawn: withdrawnIn(state) };
    }
    case 'PriceChangeWithdrawn': {
      if (state.status === 'none') return state;
      return { ...state, status: 'withdrawn', withdrawn: [...state.withdrawn, data.announcementId] };
    }
    default:
      return type satisfies never;
  }
};

export const priceChangeDecider: Decider<PriceChange, PriceChangeCommand, PriceChangeEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

export const priceChanges = commandTarget(priceChangeDecider, priceChangeEvents);
