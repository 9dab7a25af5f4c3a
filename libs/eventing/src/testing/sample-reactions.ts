import type { Decider } from '../decider.ts';
import type { DomainEvent, NewEvent, RecordedEvent } from '../event.ts';
import type { EventTypes } from '../event-types.ts';
import { commandTarget, dispatch, type Dispatch, type Reaction } from '../reaction.ts';
import { sampleEvent } from './sample-events.ts';

/** `Noted` are causes; `Counted` are what reactions, effects and due dates make of them. */
export const reactionTypes: EventTypes = {
  Noted: { version: 1 },
  Counted: { version: 1 },
};

type Counted = DomainEvent<'Counted', { n: number; by: string }>;
/** `if: 'new'` counts only numbers that were not counted. */
export type Count = Readonly<{ n: number; by: string; if?: 'new' }>;

const counterDecider: Decider<readonly number[], Count, Counted> = {
  initialState: [],
  decide: ({ n, by, if: condition }, counted) =>
    condition === 'new' && counted.includes(n) ? [] : [{ type: 'Counted', data: { n, by } }],
  evolve: (counted, { data }) => [...counted, data.n],
};
export const counters = commandTarget(counterDecider, reactionTypes);

export const noted = (n: number, more: Readonly<Record<string, number | string>> = {}): NewEvent =>
  sampleEvent('Noted', { n, ...more });

export const numberOf = ({ data }: RecordedEvent): number => Number(data['n']);

/** The counter that belongs to a stream of causes: `note-a` is counted in `count-a`. */
export const counterOf = (stream: string): string => stream.replace('note-', 'count-');

export const countOf = (event: RecordedEvent, by: string): Dispatch =>
  dispatch(counters, counterOf(event.stream), { n: numberOf(event), by });

export const countingReaction = (overrides: Partial<Reaction> = {}): Reaction => ({
  name: 'counting',
  types: ['Noted'],
  react: (event) => [countOf(event, 'reaction')],
  ...overrides,
});
