import {
  categoryOf,
  type ProjectionTable,
  type RecordedEvent,
  type RowChange,
  type Sealed,
  type SealedEvent,
} from '@tapedeck/eventing';
import type { StripeEventReceived } from '@tapedeck/stripe/events';
import { describeEvent, type AuditedEvent } from '../domain/event-text.ts';

export type Recorded = RecordedEvent<SealedEvent<AuditedEvent>>;

/** What the query of the timeline selects; positions are decimal text. */
export type TimelineRow = Readonly<{
  position: string;
  event_id: string;
  stream: string;
  version: number;
  type: string;
  lane: string;
  text: string;
  actor_kind: string;
  actor_id: string;
  causation_id: string;
  correlation_id: string;
  occurred_at: Date;
  recorded_at: Date;
  stripe_object: string | null;
  /** Why support has done it, in their own words. */
  reason: Sealed<string | null> | null;
}>;

export const timelineTable: ProjectionTable = {
  name: 'audit_timeline',
  key: ['position'],
  columns: {
    position: 'bigint not null',
    subject: 'text not null',
    event_id: 'uuid not null',
    stream: 'text not null',
    version: 'integer not null',
    type: 'text not null',
    lane: 'text not null',
    text: 'text not null',
    actor_kind: 'text not null',
    actor_id: 'text not null',
    causation_id: 'text not null',
    correlation_id: 'text not null',
    occurred_at: 'timestamptz not null',
    recorded_at: 'timestamptz not null',
    stripe_object: 'text',
    reason: 'text',
  },
  indexes: [
    // A page of a member is found in it alone.
    '(subject, position desc) include (lane, type, actor_kind, occurred_at)',
    '(event_id)',
    '(correlation_id)',
  ],
};

/** The most certain of what an event of Stripe names. */
export const stripeSubject = (data: SealedEvent<StripeEventReceived>['data']): string =>
  data.subscriptionId ??
  data.intentId ??
  data.customerId ??
  data.chargeId ??
  data.invoiceId ??
  data.checkoutSessionId ??
  data.objectId ??
  data.eventId;

const subjectFields: Readonly<Record<string, string>> = {
  checkout: 'intentId',
  introPrice: 'intentId',
  subscription: 'subscriptionId',
};

const replaySubject = (data: Readonly<Record<string, unknown>>): string =>
  String(data['accountId'] ?? data['subscriptionId'] ?? data['replayId']);

/**
 * What an event is about: a purchase stays the same when its owner changes, so its events name the purchase. An entitlement is
 * always that of one account.
 */
export const subjectOf = ({ type, stream, data }: Recorded): string => {
  if (type === 'StripeEventReceived') return stripeSubject(data);
  if (type === 'EntitlementChanged') return data.accountId;
  if (categoryOf(stream) === 'replay') return replaySubject(data);
  const field = subjectFields[categoryOf(stream)] ?? 'accountId';
  return String((data as Readonly<Record<string, unknown>>)[field]);
};

const reasonOf = ({ type, data }: Recorded): TimelineRow['reason'] => {
  switch (type) {
    case 'ComplimentaryAccessGranted':
    case 'ComplimentaryAccessEnded':
    case 'MoneyActionProposed':
    case 'MoneyActionRejected':
    case 'ReplayApplied':
    case 'StripeWriteAbandoned':
    case 'StripeWriteAbandonProposed':
      return data.reason;
    // The reason of who has proposed it is that of the proposal.
    case 'MoneyActionTaken':
      return data.approvedBy === null ? data.reason : data.approvalReason;
    default:
      return null;
  }
};

export const timelineChange = (event: Recorded): RowChange => {
  const { metadata } = event;
  const { lane, text, stripeObject } = describeEvent(event, metadata);
  return {
    op: 'put',
    table: timelineTable.name,
    key: { position: String(event.position) },
    row: {
      subject: subjectOf(event),
      event_id: event.id,
      stream: event.stream,
      version: event.version,
      type: event.type,
      lane,
      text,
      actor_kind: metadata.actorKind,
      actor_id: metadata.actorId,
      causation_id: metadata.causationId,
      correlation_id: metadata.correlationId,
      occurred_at: metadata.occurredAt,
      recorded_at: event.recordedAt,
      stripe_object: stripeObject,
      reason: reasonOf(event),
    },
  };
};
