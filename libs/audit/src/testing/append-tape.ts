import type { EventStore } from '@tapedeck/eventing';
import { sampleEvent } from '@tapedeck/eventing/testing';
import { accountId, eventId, newId, type AccountId, type EventId, type JsonObject } from '@tapedeck/kernel';
import type { MemberEvent, MemberHistory } from '../domain/history.ts';
import { registered } from './random-members.ts';
import { historyOf, member, type Tape } from './tape.ts';

/** What a tape in memory calls its member, and what is on the real tape instead. */
export type Renamed = Readonly<{ accountId: AccountId; history: (position: bigint) => MemberHistory }>;

const personal: Readonly<Record<string, JsonObject>> = {
  StripeEventReceived: { body: null, personalSubject: 'stripeObject:test' },
};

const storedMetadata = (
  { metadata }: MemberEvent,
  idOf: (id: string) => string,
): MemberEvent['metadata'] => ({
  ...metadata,
  causationId: idOf(metadata.causationId),
});

/** Appends the tape of one member under ids of its own; returns what it is called now, with the same history in memory. */
export const appendTape = async (
  store: EventStore,
  tape: Tape,
  upTo: number = tape.events.length,
): Promise<Renamed & Readonly<{ append: (from: number, to: number) => Promise<void> }>> => {
  const account = accountId(newId());
  const run = newId().replaceAll('-', '');
  const ids = new Map<string, EventId>(tape.events.map(({ id }) => [id, eventId(newId())]));
  const idOf = (id: string): string => ids.get(id) ?? id;
  const renamed = (text: string): string =>
    text
      .replaceAll(member, account)
      .replaceAll('sub_1', `sub_${run}`)
      .replaceAll('intent-1', `intent-${run}`)
      .replaceAll(/evt_(?<number>\d+)/gu, `evt_${run}$<number>`);
  const events = tape.events.map((event) => {
    // A copy of a MemberEvent.
    const copy = JSON.parse(
      renamed(JSON.stringify({ ...event, position: String(event.position) })),
    ) as MemberEvent;
    return {
      ...copy,
      id: ids.get(event.id) ?? copy.id,
      position: event.position,
      metadata: storedMetadata(copy, idOf),
    };
  });
  const append = async (from: number, to: number): Promise<void> => {
    for (const { id, type, schemaVersion, data, metadata, stream } of events.slice(from, to)) {
      const stored = { ...(data as JsonObject), ...personal[type] };
      await store.append(stream, 'ANY', [{ id, type, schemaVersion, data: stored, metadata }]);
    }
  };
  const { stream, type, data } = registered(account);
  const occurredAt = events[0]?.metadata.occurredAt ?? '';
  const first = sampleEvent(type, data);
  await store.append(stream, 'NO_STREAM', [{ ...first, metadata: { ...first.metadata, occurredAt } }]);
  await append(0, upTo);
  return {
    accountId: account,
    append,
    history: (position) => {
      const known = historyOf({ events: events.slice(0, Number(position)) });
      return { ...known, options: { ...known.options, accountId: account } };
    },
  };
};
