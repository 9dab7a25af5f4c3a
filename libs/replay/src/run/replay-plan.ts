import type { RecordedEvent } from '@tapedeck/eventing';
import type { FieldDifference } from '@tapedeck/eventing/reactions';
import type { JsonValue } from '@tapedeck/kernel';
import type { ReplayedField, ReplayPlan } from '../contract.ts';
import { keyOf } from './outside-work.ts';
import type { ReplayRun, ReplayService } from './run-replay.ts';

const maxEvents = 200;
const maxFields = 500;

/** The part of a key that names the row to people. */
const nameOf = ({ key }: FieldDifference): string =>
  String(key['kind'] ?? key['subscription_id'] ?? Object.values(key).at(-1) ?? '');

const toText = (value: JsonValue): string | null => {
  if (value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** Events whose effect is held after a replay until support releases it, with the name of the effect. */
const heldTypes: Readonly<Record<string, string>> = {
  StripeWriteRequested: 'stripe-writes',
  BuyerForgotten: 'payments-of-closed-accounts',
};

/** A replay as the screen shows it. */
export const toPlan = (run: ReplayRun, { textOf, ports }: ReplayService): ReplayPlan => {
  const { request, figures, events, fields, shownWrong, released, outside, failures, history } = run;
  const labels = Object.fromEntries(
    ports.projections.flatMap(({ replay }) => Object.entries(replay?.compares ?? {})),
  );
  const appended = new Map(events.map((event) => [event.id as string, event]));
  const onTape = new Map(history.map((event) => [event.id as string, event]));
  const fieldOf = (difference: FieldDifference): ReplayedField => {
    const { table, field, before, after, eventId } = difference;
    return {
      subject: `${labels[table] ?? table} ${nameOf(difference)}`,
      table,
      field,
      before: toText(before),
      after: toText(after),
      eventId,
      eventType: (appended.get(eventId) ?? onTape.get(eventId))?.type ?? '',
      isOnTape: !appended.has(eventId),
    };
  };
  const eventOf = (event: RecordedEvent): ReplayPlan['events'][number] => ({
    id: event.id,
    stream: event.stream,
    type: event.type,
    text: textOf(event),
    causationId: event.metadata.causationId,
  });
  const { replayId, mode, target, at } = request;
  return {
    replayId,
    mode,
    target,
    at,
    fingerprint: figures.fingerprint,
    beforeHash: figures.beforeHash,
    afterHash: figures.afterHash,
    isEmpty: events.length + released.length + outside.length + shownWrong.length === 0,
    events: events.slice(0, maxEvents).map(eventOf),
    eventCount: events.length,
    fields: [...fields, ...shownWrong].slice(0, maxFields).map(fieldOf),
    fieldCount: fields.length + shownWrong.length,
    released: released.length,
    failures: failures.map(({ reaction, eventId, stream, error }) => ({ reaction, eventId, stream, error })),
    held: events.flatMap((event) => {
      const { id, stream, type } = event;
      const effect = heldTypes[type];
      return effect === undefined ? [] : [{ id, effect, stream, type, text: textOf(event) }];
    }),
    outside: outside.map(({ kind, event, pending }) => ({
      key: keyOf(pending),
      kind,
      effect: pending.reaction,
      stream: event.stream,
      type: event.type,
      text: textOf(event),
      isHeld: pending.isHeld,
      error: pending.error,
      since: pending.since,
    })),
    outdatedReadModels: [...new Set(shownWrong.map(({ projection }) => projection))],
  };
};
