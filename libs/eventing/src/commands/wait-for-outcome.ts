import type { Decider } from '../decider.ts';
import type { DomainEvent } from '../event.ts';
import type { EventStore } from '../event-store.ts';
import { stateReader } from './stream-states.ts';

export type OutcomeOptions<State, Event extends DomainEvent, Outcome> = Readonly<{
  stream: string;
  /** The events that can bring the outcome. */
  types: readonly Event['type'][];
  /** Undefined while the outcome is open. */
  outcomeOf: (state: State) => Outcome | undefined;
  maxWaitMs: number;
  signal?: AbortSignal;
}>;

const pageSize = 1_000;

/**
 * Waits until the state of a stream has an outcome; undefined after `maxWaitMs`, or once the signal is aborted. The stream
 * is read when it has a new event of these types, and only from the state on that this process has of it. New events are
 * those that all followers of this process share.
 *
 * @example
 * const outcome = await waitForOutcome(store, importDecider, {
 *   stream,
 *   types: ['ImportCompleted', 'ImportFailed'],
 *   outcomeOf: ({ status }) => (status === 'running' ? undefined : status),
 *   maxWaitMs: 5_000,
 * });
 */
export const waitForOutcome = async <State, Event extends DomainEvent, Outcome>(
  store: EventStore,
  decider: Decider<State, never, Event>,
  { stream, types, outcomeOf, maxWaitMs, signal }: OutcomeOptions<State, Event, Outcome>,
): Promise<Outcome | undefined> => {
  const timeout = AbortSignal.timeout(maxWaitMs);
  const ended = signal ? AbortSignal.any([timeout, signal]) : timeout;
  const read = stateReader(store, decider);
  const outcomeNow = async (): Promise<Outcome | undefined> => outcomeOf((await read(stream)).state);
  // Before the state is read, so that no event is between both.
  const after = await store.head();
  const known = await outcomeNow();
  if (known !== undefined) return known;
  const pages = store.follow({ after, batchSize: pageSize, types, form: 'stored', signal: ended });
  for await (const { events } of pages) {
    const isNew = events.some((event) => event.stream === stream);
    const outcome = isNew ? await outcomeNow() : undefined;
    if (outcome !== undefined) return outcome;
  }
  return undefined;
};
