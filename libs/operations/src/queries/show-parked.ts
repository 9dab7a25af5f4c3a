import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Position } from '@tapedeck/eventing';
import {
  waitingEvents,
  waitingGroups,
  type WaitingEvent,
  type WaitingFilter,
} from '@tapedeck/eventing/reactions';
import { isoNow } from '@tapedeck/kernel';
import type { ParkedEvent, ParkedPage, ParkedQuery } from '../contract.ts';
import { OPERATIONS_READS, type OperationsReads } from './operations-reads.ts';

/** `withProjections`: for admins. */
export class ShowParked extends Query<ParkedPage> {
  constructor(
    readonly filter: ParkedQuery,
    readonly withProjections: boolean,
  ) {
    super();
  }
}

const pageSize = 50;

export type ParkedFilter = Pick<WaitingFilter, 'consumer' | 'states' | 'group' | 'positions'> &
  Readonly<{ withProjections: boolean }>;

/** Of all databases. */
export const filtersOf = (
  { databases }: OperationsReads,
  filter: ParkedFilter,
): readonly (readonly [OperationsReads['databases'][string], WaitingFilter])[] =>
  Object.entries(databases).map(([name, pool]) => [pool, { ...filter, withReactions: name === 'tapedeck' }]);

const isBefore = (a: WaitingEvent, b: WaitingEvent): boolean =>
  a.position < b.position || (a.position === b.position && a.consumer < b.consumer);

const cursorOf = ({ position, consumer }: WaitingEvent): string => `${position}~${consumer}`;

const afterOf = (cursor: string): Readonly<{ position: Position; consumer: string }> => {
  const [position = '0', consumer = ''] = cursor.split('~');
  return { position: BigInt(position), consumer };
};

/** The oldest events of all databases. */
export const readWaiting = async (
  reads: OperationsReads,
  filter: ParkedFilter,
  limit: number,
  after?: string,
): Promise<readonly WaitingEvent[]> => {
  const page = { limit, ...(after === undefined ? {} : { after: afterOf(after) }) };
  const found = await Promise.all(
    filtersOf(reads, filter).map(([pool, one]) => waitingEvents(pool, one, page)),
  );
  return found
    .flat()
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1))
    .slice(0, limit);
};

@QueryHandler(ShowParked)
export class ShowParkedHandler implements IQueryHandler<ShowParked> {
  readonly #reads: OperationsReads;

  constructor(@Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
  }

  async execute({ filter, withProjections }: ShowParked): Promise<ParkedPage> {
    const { consumer, state, group, after } = filter;
    const wanted = { withProjections, consumer, group, ...(state ? { states: [state] } : {}) };
    const found = await readWaiting(this.#reads, wanted, pageSize + 1, after);
    const events = found.slice(0, pageSize);
    const last = found.length > pageSize ? events.at(-1) : undefined;
    const groups = await Promise.all(
      filtersOf(this.#reads, { withProjections }).map(([pool, one]) => waitingGroups(pool, one)),
    );
    return {
      readAt: isoNow(this.#reads.clock),
      groups: groups.flat().toSorted((a, b) => b.events - a.events),
      events: await Promise.all(events.map((event) => this.#parked(event))),
      after: last ? cursorOf(last) : null,
    };
  }

  async #parked(event: WaitingEvent): Promise<ParkedEvent> {
    const stored = await this.#reads.store.readEvent(event.position);
    const accountId = stored?.data['accountId'];
    const { nextAttemptInMs, position, behind, ...rest } = event;
    return {
      ...rest,
      position: String(position),
      behind: behind === null ? null : String(behind),
      nextAttemptAt:
        nextAttemptInMs === null
          ? null
          : new Date(this.#reads.clock.now() + Math.max(0, nextAttemptInMs)).toISOString(),
      eventId: stored?.id ?? null,
      accountId: typeof accountId === 'string' ? accountId : null,
    };
  }
}
