import { stateAfter } from '../decider.ts';
import type { EventOf, EventTypes, SealedEvent } from '../event-types.ts';
import type { DomainEvent, RecordedEvent } from '../event.ts';
import type { EventStore, ReadStreamOptions } from '../event-store.ts';
import type { ReadStream } from '../reaction.ts';

type IsOneOf<Event extends DomainEvent> = (
  event: RecordedEvent | RecordedEvent<Event>,
) => event is RecordedEvent<Event>;

const isOneOf =
  <Event extends DomainEvent>(names: ReadonlySet<string>): IsOneOf<Event> =>
  (event): event is RecordedEvent<Event> =>
    names.has(event.type);

const allOf = <Event extends DomainEvent>(
  events: readonly (RecordedEvent | RecordedEvent<Event>)[],
  types: EventTypes,
): readonly RecordedEvent<Event>[] => {
  const names = new Set(Object.keys(types));
  if (events.every(isOneOf<Event>(names))) return events;
  const other = events.find(({ type }) => !names.has(type));
  throw new Error(
    `${other?.stream} contains ${other?.type}, which is none of the event types that it is read for.`,
  );
};

type EventNamed<Types extends EventTypes, Name extends keyof Types> = Extract<
  EventOf<Types>,
  Readonly<{ type: Name }>
>;

/**
 * Whether an event is one of these types, or one of those that are named; the compiler then knows its data. For events of
 * which some may be others.
 *
 * @example
 * const paid = events.filter(isEventOf(checkoutEvents, 'CheckoutPaid'));
 */
export const isEventOf = <Types extends EventTypes, Name extends keyof Types & string = keyof Types & string>(
  types: Types,
  ...names: readonly Name[]
): IsOneOf<EventNamed<Types, Name>> =>
  isOneOf<EventNamed<Types, Name>>(new Set(names.length > 0 ? names : Object.keys(types)));

/** The same for events with sealed personal fields. */
export const isSealedEventOf = <
  Types extends EventTypes,
  Name extends keyof Types & string = keyof Types & string,
>(
  types: Types,
  ...names: readonly Name[]
): IsOneOf<SealedEvent<EventNamed<Types, Name>>> =>
  isOneOf<SealedEvent<EventNamed<Types, Name>>>(new Set(names.length > 0 ? names : Object.keys(types)));

/**
 * Events that are all of these types, such as those of one category of streams.
 *
 * @throws Error when one of them is another.
 *
 * @example
 * const histories = [...streams.values()].map((events) => typedEvents(events, subscriptionEvents));
 */
export const typedEvents = <Types extends EventTypes>(
  events: readonly RecordedEvent[],
  types: Types,
): readonly RecordedEvent<EventOf<Types>>[] => allOf<EventOf<Types>>(events, types);

type Form = 'current' | 'sealed';

/** The events as readers of this form get them. */
type InForm<Event extends DomainEvent, F extends Form> = F extends 'sealed' ? SealedEvent<Event> : Event;

/**
 * The events of a stream with their types, which are those of its category.
 *
 * @throws DomainError as `readStream` does; Error when the stream contains other events.
 *
 * @example
 * const history = await readEvents(store, membershipStream(accountId), membershipEvents);
 */
export const readEvents = async <Types extends EventTypes, F extends Form = 'current'>(
  store: Pick<EventStore, 'readStream'>,
  stream: string,
  types: Types,
  options: Omit<ReadStreamOptions, 'form'> & Readonly<{ form?: F }> = {},
): Promise<readonly RecordedEvent<InForm<EventOf<Types>, F>>[]> =>
  allOf<InForm<EventOf<Types>, F>>(await store.readStream(stream, options), types);

/**
 * Reads the states of streams as they are on the tape at this moment.
 *
 * @example
 * const read = readStates(store);
 * const { open } = await read(claims, claimStream(accountId));
 */
export const readStates =
  (store: Pick<EventStore, 'readStream'>): ReadStream =>
  async ({ decider }, stream) =>
    stateAfter(decider, await store.readStream(stream));
