import type { DomainEvent, RecordedEvent, SealedEvent } from '@tapedeck/eventing/core';
import { accountTexts } from './texts/account-texts.ts';
import { checkoutTexts } from './texts/checkout-texts.ts';
import type { AuditedEvent, DataOf, EventLane, EventTexts } from './texts/event-texts.ts';
import { membershipTexts } from './texts/membership-texts.ts';
import { replayTexts } from './texts/replay-texts.ts';
import { subscriptionTexts } from './texts/subscription-texts.ts';

export type { AuditedEvent } from './texts/event-texts.ts';

/** A new event type of these unions needs an entry. */
const texts: EventTexts<AuditedEvent> = {
  ...accountTexts,
  ...checkoutTexts,
  ...membershipTexts,
  ...replayTexts,
  ...subscriptionTexts,
};

/** The types, as a projection names them. */
export const auditedTypes: Readonly<Record<AuditedEvent['type'], true>> = Object.fromEntries(
  Object.keys(texts).map((type) => [type, true]),
  // One entry for each type of the union.
) as Record<AuditedEvent['type'], true>;

/** Something that should have worked has not. */
const failures: ReadonlySet<string> = new Set<AuditedEvent['type']>([
  'PaymentFailed',
  'GraceStarted',
  'MembershipSuspended',
  'DisputeOpened',
  'StripeWriteRefused',
  'CheckoutRefused',
]);

export const isFailure = (type: string): boolean => failures.has(type);

export type EventDescription = Readonly<{ lane: EventLane; text: string; stripeObject: string | null }>;

type EventActor = Readonly<{ actorKind: string; actorId: string }>;

/** What somebody of support did to somebody else's account is in the lane of the admins, whatever it is. */
const isDoneByStaff = (data: object, { actorKind, actorId }: EventActor): boolean =>
  (actorKind === 'admin' || actorKind === 'support') &&
  'accountId' in data &&
  data.accountId !== null &&
  data.accountId !== actorId;

/** How the timeline shows an event. */
export const describeEvent = (
  { type, data }: SealedEvent<AuditedEvent>,
  actor: EventActor,
): EventDescription => {
  // The table has for each type a function of its data.
  const { lane, text, stripe } = texts[type] as EventTexts<DomainEvent>[string];
  const own = data as DataOf<DomainEvent, string>;
  return {
    lane: isDoneByStaff(data, actor) ? 'admin' : lane,
    text: text(own),
    stripeObject: stripe?.(own) ?? null,
  };
};

type Recorded = RecordedEvent<SealedEvent<AuditedEvent>>;
const isAudited = (event: RecordedEvent | Recorded): event is Recorded => event.type in texts;

/** An event with sealed personal fields in plain words; its type where it has none. */
export const textOfEvent = (event: RecordedEvent): string =>
  isAudited(event) ? describeEvent(event, event.metadata).text : event.type;
