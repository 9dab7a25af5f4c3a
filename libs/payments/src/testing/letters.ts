import { stateAfter } from '@tapedeck/eventing/core';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { subscriptionDecider, type SubscriptionCommand } from '../domain/decide-subscription.ts';
import { letterFor, type Announced, type Letter } from '../domain/letters.ts';
import type { SubscriptionEvent } from '../domain/subscription-events.ts';
import { day } from './snapshots.ts';
import { after } from './subscription-history.ts';

const announced: readonly string[] = [
  'PurchaseUnclaimed',
  'ClaimReminderDue',
  'PaymentRecorded',
  'PaymentFailed',
  'RefundRecorded',
  'RenewalNoticeDue',
  'CardNoticeDue',
  'PaymentTransferred',
  'PurchaseReturnBegun',
];
const isAnnounced = (event: SubscriptionEvent): event is Announced => announced.includes(event.type);

const siteUrl = 'https://tapedeck.example';

/** The letters about the events from a version on, sent at an instant, when all the commands were executed. */
export const letters = (
  commands: readonly SubscriptionCommand[],
  at = day('01-02'),
  fromVersion = 1,
): readonly Letter[] => {
  const all = after(...commands).map((event, index) => recordedEvent(event, { version: index + 1 }));
  const now = stateAfter(subscriptionDecider, all);
  return all.flatMap((event) => {
    if (!isAnnounced(event) || event.version < fromVersion) return [];
    const before = stateAfter(
      subscriptionDecider,
      all.filter(({ version }) => version < event.version),
    );
    return letterFor(event, { events: all, now, before, at }, siteUrl) ?? [];
  });
};

export const subjects = (...args: Parameters<typeof letters>): readonly string[] =>
  letters(...args).map(({ content }) => content.subject);
