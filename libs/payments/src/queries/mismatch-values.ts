import type { RecordedEvent } from '@tapedeck/eventing';
import { contentText } from '../domain/subscription.ts';
import type { SubscriptionEvent } from '../domain/subscription-events.ts';

/** Values are text; null where there was none. */
export type MismatchValue = Readonly<{ field: string; ours: string | null; stripe: string | null }>;

/** The facts that a field of a mismatch counts, by the name that `DriftDetected` gives them. */
const facts: Readonly<Record<string, readonly SubscriptionEvent['type'][]>> = {
  payments: ['PaymentRecorded'],
  failures: ['PaymentFailed'],
  refunds: ['RefundRecorded'],
  disputes: ['DisputeOpened', 'DisputeClosed'],
};

const textOf = (value: unknown): string | null => {
  if (value === null || value === undefined) return null;
  return typeof value === 'string' ? value : contentText(value);
};

const observedIn = (events: readonly RecordedEvent[]): RecordedEvent | undefined =>
  events.find(({ type }) => type === 'SubscriptionObserved');

const fieldOf = (event: RecordedEvent | undefined, field: string): string | null =>
  textOf((event?.data as Readonly<Record<string, unknown>> | undefined)?.[field]);

const countOf = (events: readonly RecordedEvent[], types: readonly string[]): number =>
  events.filter(({ type }) => types.includes(type)).length;

/**
 * The recorded values before a mismatch, and those of Stripe: the facts that were recorded with it. A card is not shown:
 * it is personal.
 */
export const mismatchValues = (
  stream: readonly RecordedEvent[],
  eventId: string,
  fields: readonly string[],
): Readonly<{ values: readonly MismatchValue[]; isHealed: boolean }> => {
  const index = stream.findIndex(({ id }) => id === eventId);
  const mismatch = stream[index];
  if (!mismatch)
    return { values: fields.map((field) => ({ field, ours: null, stripe: null })), isHealed: false };
  const before = stream.slice(0, index);
  const recorded = stream
    .slice(index + 1)
    .filter(({ metadata }) => metadata.causationId === mismatch.metadata.causationId);
  const ours = observedIn(before.toReversed());
  const stripe = observedIn(recorded);
  const values = fields.map((field) => {
    const types = facts[field];
    if (types) {
      const known = countOf(before, types);
      return { field, ours: String(known), stripe: String(known + countOf(recorded, types)) };
    }
    if (field === 'card') return { field, ours: null, stripe: null };
    return { field, ours: fieldOf(ours, field), stripe: fieldOf(stripe, field) };
  });
  return { values, isHealed: recorded.length > 0 };
};
