import type { AnnouncedPrices } from '@tapedeck/payments/contract';
import { formatDay, formatMoney, formatWhole } from '../../../ui/format.ts';
import { per } from '../billing-facts.ts';

export type PlanPrice = AnnouncedPrices['plans'][number];
export type Announcement = NonNullable<PlanPrice['announcement']>;
type Amount = Readonly<{ amount: number; currency: string }>;

export const planText = ({ tier, period }: Pick<PlanPrice, 'tier' | 'period'>): string =>
  `${tier}, ${period}`;

export const priceText = ({ amount, currency }: Amount, { period }: Pick<PlanPrice, 'period'>): string =>
  `${formatMoney(amount, currency)} ${per[period]}`;

export const membersText = (count: number): string =>
  count === 1 ? '1 subscription' : `${formatWhole(count)} subscriptions`;

/** What a plan's members pay who do not pay the price that is sold. */
export const formerText = ({ formerAmounts }: Pick<PlanPrice, 'formerAmounts'>): string => {
  if (formerAmounts.length === 0) return 'All of its subscriptions renew at this price.';
  const parts = formerAmounts.map(
    ({ amount, currency, subscriptions }) =>
      `${membersText(subscriptions)} at ${formatMoney(amount, currency)}`,
  );
  return `Renewing at another price: ${parts.join(', ')}.`;
};

const stateTexts: Readonly<Record<Announcement['state'], string>> = {
  announced: 'announced',
  'in-effect': 'in effect',
  withdrawn: 'withdrawn',
};

export const stateText = (state: Announcement['state']): string => stateTexts[state];

export const announcementText = (announcement: Announcement, plan: Pick<PlanPrice, 'period'>): string =>
  `${priceText(announcement, plan)} from ${formatDay(announcement.from)} on.`;

/** How far it has come. */
export const progressText = ({ state, notified, changed }: Announcement): string => {
  if (state === 'withdrawn')
    return notified === 0
      ? 'Members who were notified know that it is withdrawn.'
      : `${membersText(notified)} still to be notified of the withdrawal.`;
  return `${membersText(notified)} notified, ${changed === 0 ? 'none' : formatWhole(changed)} of them charged by now.`;
};

/** A plan can be announced where somebody pays another price, and nothing is to come. */
export const canAnnounce = ({ formerAmounts, announcement, amount, currency }: PlanPrice): boolean => {
  if (formerAmounts.length === 0) return false;
  if (announcement === null || announcement.state === 'withdrawn') return true;
  const isSame = announcement.amount === amount && announcement.currency === currency;
  return announcement.state === 'in-effect' && !isSame;
};
