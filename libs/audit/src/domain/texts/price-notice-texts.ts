import type { PriceNoticeEvent } from '@tapedeck/payments/events';
import type { EventTexts } from './event-texts.ts';
import { money, on, planText } from './words.ts';

/** What was announced to the owner of a subscription about its price. */
export const priceNoticeTexts: EventTexts<PriceNoticeEvent> = {
  PriceNoticeGiven: {
    lane: 'payment',
    text: ({ plan, fromAmount, toAmount, currency, renewsAt }) =>
      `Notified of a new price: ${planText(plan)} costs ${money(toAmount, currency)} instead of ${money(fromAmount, currency)} from the renewal on ${on(renewsAt)}`,
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  PriceNoticeWithdrawn: {
    lane: 'payment',
    text: () => 'The new price is withdrawn: the subscription keeps its price',
    stripe: ({ subscriptionId }) => subscriptionId,
  },
  AnnouncedPriceDue: {
    lane: 'system',
    text: () => 'The renewal at the announced price is near',
    stripe: ({ subscriptionId }) => subscriptionId,
  },
};
