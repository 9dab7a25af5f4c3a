import type { Decider } from '../decider.ts';
import type { DomainEvent, NewEvent, RecordedEvent } from '../event.ts';
import { defineEvents, type EventTypes } from '../event-types.ts';
import { commandTarget, dispatch, type Dispatch, type Effect, type Reaction } from '../reaction.ts';
import { sampleEvent } from './sample-events.ts';

/** `Noted` are causes; `Counted` are what reactions, effects and due dates make of them. */
export const sampleReactionTypes: EventTypes = {
  Noted: { version: 1 },
  Counted: { version: 1 },
};

type Counted = DomainEvent<'Counted', { n: number }>;
const counterTypes = defineEvents<Counted>({ Counted: { version: 1 } });

/** With `ifOther` a number is not counted when it is the last one that was; 0 is before the first. */
export type Count = Readonly<{ n: number; ifOther?: boolean }>;

const counterDecider: Decider<number, Count, Counted> = {
  initialState: 0,
  decide: ({ n, ifOther = false }, last) => (ifOther && last === n ? [] : [{ type: 'Counted', data: { n } }]),
  evolve: (_, { data }) => data.n,
};
export const counters = commandTarget(counterDecider, counterTypes);

export const noted = (n: number): NewEvent => sampleEvent('Noted', { n });
export const numberOf = ({ data }: RecordedEvent): number => Number(data['n']);

/** Counts the number of `note-a` in `count-a`, or in the stream of another category. */
export const countOf = (
  event: RecordedEvent,
  { category = 'count', ...more }: Omit<Count, 'n'> & { readonly category?: string } = {},
): Dispatch =>
  dispatch(counters, event.stream.replace('note-', `${category}-`), { n: numberOf(event), ...more });

/** They begin with the events of their test. */
export const countingReaction = (overrides: Partial<Reaction> = {}): Reaction => ({
  name: 'counting',
  types: ['Noted'],
  begins: 'next',
  react: (event) => [countOf(event)],
  ...overrides,
});

export const countingEffect = (overrides: Partial<Effect> = {}): Effect => ({
  name: 'calling',
  afterReplay: 'run',
  types: ['Noted'],
  begins: 'next',
  run: (event) => Promise.resolve([countOf(event)]),
  ...overrides,
});
