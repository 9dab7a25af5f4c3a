import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Position } from '@tapedeck/eventing';
import {
  listCheckpoints,
  listParkedKeys,
  type ListedCheckpoint,
  type ParkedKey,
} from '@tapedeck/eventing/projections';
import { waitingGroups } from '@tapedeck/eventing/reactions';
import { isoNow } from '@tapedeck/kernel';
import type { Change, ProjectionsPage, Consumer } from '../contract.ts';
import { lastChanges } from './last-changes.ts';
import { OPERATIONS_READS, type OperationsReads } from './operations-reads.ts';

export class ShowProjections extends Query<ProjectionsPage> {}

/** Those that are shown of each consumer. */
const maxKeys = 10;
/** Those that are read of a database. */
const maxKeysRead = 200;

type InDatabase = Readonly<{
  database: string;
  checkpoints: readonly ListedCheckpoint[];
  keys: readonly ParkedKey[];
}>;

const lagEvents = (head: Position, position: Position): number =>
  head > position ? Number(head - position) : 0;

const leaseOf = ({ leaseOwner, leaseSeconds }: ListedCheckpoint): Consumer['lease'] => {
  if (leaseOwner === null || leaseSeconds === null) return null;
  const [host = '', pid = ''] = leaseOwner.split('/');
  return { host, pid, seconds: Math.max(0, leaseSeconds) };
};

const standbyOf = (
  main: ListedCheckpoint,
  checkpoints: readonly ListedCheckpoint[],
  head: Position,
): Consumer['standby'] => {
  const standby = checkpoints.find(
    ({ name, version, build }) => build === 'standby' && name === main.name && version === main.version,
  );
  if (!standby) return null;
  const { position, eventsRead, retiredAt, lastError } = standby;
  return {
    position: String(position),
    eventsRead: Number(eventsRead),
    lagEvents: lagEvents(head, position),
    retiredAt,
    lastError,
  };
};

/** Due dates are read from a read model. */
const followsTape = ({ kind }: ListedCheckpoint): boolean => kind !== 'due-dates';

type Page = Readonly<{
  head: Position;
  changes: ReadonlyMap<string, Change>;
  lagSeconds: (position: Position) => Promise<number>;
}>;

const consumerOf = async (
  main: ListedCheckpoint,
  { database, checkpoints, keys }: InDatabase,
  { head, changes, lagSeconds }: Page,
): Promise<Consumer> => ({
  name: main.name,
  kind: main.kind,
  database,
  version: main.version,
  status: main.status,
  position: String(main.position),
  lagEvents: followsTape(main) ? lagEvents(head, main.position) : 0,
  lagSeconds: followsTape(main) ? await lagSeconds(main.position) : 0,
  eventsRead: Number(main.eventsRead),
  parked: main.parked,
  parkedKeys: keys
    .filter(({ name, version }) => name === main.name && version === main.version)
    .slice(0, maxKeys)
    .map(({ key, events, error }) => ({ key, events, error })),
  lease: leaseOf(main),
  lastError: main.lastError,
  standby: main.kind === 'projection' ? standbyOf(main, checkpoints, head) : null,
  change: main.kind === 'projection' && main.status === 'live' ? (changes.get(main.name) ?? null) : null,
});

@QueryHandler(ShowProjections)
export class ShowProjectionsHandler implements IQueryHandler<ShowProjections> {
  readonly #reads: OperationsReads;

  constructor(@Inject(OPERATIONS_READS) reads: OperationsReads) {
    this.#reads = reads;
  }

  async execute(): Promise<ProjectionsPage> {
    const { store, clock } = this.#reads;
    const [changes, found] = await Promise.all([lastChanges(this.#reads), this.#databases()]);
    const head = await store.head();
    const page: Page = { head, changes, lagSeconds: this.#lagSeconds(head) };
    const consumers: Consumer[] = [];
    for (const one of found)
      for (const main of one.checkpoints)
        if (main.build === 'main') consumers.push(await consumerOf(main, one, page));
    return { readAt: isoNow(clock), head: String(head), consumers };
  }

  #databases(): Promise<readonly InDatabase[]> {
    return Promise.all(
      Object.entries(this.#reads.databases).map(async ([database, pool]) => ({
        database,
        checkpoints: await listCheckpoints(pool),
        keys: [...(await listParkedKeys(pool, maxKeysRead)), ...(await this.#reactionKeys(database))],
      })),
    );
  }

  /** Of reactions and effects the errors are shown; their keys are on the board. */
  async #reactionKeys(database: string): Promise<readonly ParkedKey[]> {
    if (database !== 'tapedeck') return [];
    const groups = await waitingGroups(this.#reads.databases.tapedeck, {
      withProjections: false,
      withReactions: true,
      states: ['parked'],
    });
    return groups.map(({ consumer, group, events }) => ({
      name: consumer,
      version: 1,
      key: 'events',
      events,
      error: group,
    }));
  }

  /** Consumers that are behind are often at the same position. */
  #lagSeconds(head: Position): (position: Position) => Promise<number> {
    const known = new Map<Position, Promise<number>>();
    const read = async (position: Position): Promise<number> => {
      const { events } = await this.#reads.store.readTape({ after: position, limit: 1 });
      const [oldest] = events;
      if (!oldest) return 0;
      return Math.max(0, (this.#reads.clock.now() - Date.parse(oldest.recordedAt)) / 1_000);
    };
    return (position) => {
      if (position >= head) return Promise.resolve(0);
      const lag = known.get(position) ?? read(position);
      known.set(position, lag);
      return lag;
    };
  }
}
