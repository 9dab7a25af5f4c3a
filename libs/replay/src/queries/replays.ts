import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readable, unsealRows, type Actor, type EventStore } from '@tapedeck/eventing';
import type { Databases } from '@tapedeck/platform/databases';
import { AccountNames } from '@tapedeck/platform/http';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import type { Pool } from 'pg';
import { unknownReplay } from '../domain/replay.ts';
import type { ReplayRow } from '../projections/replays.ts';
import { toPlan } from '../run/replay-plan.ts';
import { REPLAY_SERVICE, type ReplayService } from '../run/run-replay.ts';
import { readReplay } from '../run/recorded-replays.ts';
import type { ReplayDetails, Replays, ReplaySummary } from '../contract.ts';

/** The newest first; `cursor` is that of the page before. */
export class ListReplays extends Query<Replays> {
  constructor(
    readonly accountId: string | undefined,
    readonly cursor: string | undefined,
  ) {
    super();
  }
}

/** With what it would change now. */
export class ShowReplay extends Query<ReplayDetails> {
  constructor(
    readonly replayId: string,
    readonly actor: Actor,
  ) {
    super();
  }
}

const pageSize = 50;

const columns = `
  replay_id, position, mode, target, account_id, status, tried_at, tried_by, applied_at, applied_by, reason, fingerprint,
  before_hash, after_hash, events, fields`;

const pageSql = `
  select ${columns} from payment_replays
   where ($1::uuid is null or account_id = $1) and ($2::bigint is null or position < $2)
   order by position desc limit ${pageSize + 1}`;

const oneSql = `select ${columns} from payment_replays where replay_id = $1`;

const readSummaries = async (
  rows: readonly ReplayRow[],
  store: Pick<EventStore, 'unseal'>,
  accounts: AccountNames,
): Promise<readonly ReplaySummary[]> => {
  const opened = await unsealRows(store, rows, ['reason']);
  const names = await accounts.of(
    rows.flatMap((row) => [row.tried_by, row.applied_by, row.account_id].filter((id) => id !== null)),
  );
  const nameOf = (id: string | null): string | null => (id === null ? null : (names.get(id) ?? null));
  return opened.map((row) => ({
    replayId: row.replay_id,
    mode: row.mode,
    target: row.target,
    accountId: row.account_id,
    accountName: nameOf(row.account_id),
    status: row.status,
    triedAt: row.tried_at.toISOString(),
    triedBy: row.tried_by,
    triedByName: nameOf(row.tried_by),
    appliedAt: row.applied_at?.toISOString() ?? null,
    appliedBy: row.applied_by,
    appliedByName: nameOf(row.applied_by),
    reason: readable(row.reason, null),
    fingerprint: row.fingerprint,
    beforeHash: row.before_hash,
    afterHash: row.after_hash,
    events: row.events,
    fields: row.fields,
  }));
};

@QueryHandler(ListReplays)
export class ListReplaysHandler implements IQueryHandler<ListReplays> {
  readonly #pool: Pool;
  readonly #store: EventStore;
  readonly #accounts: AccountNames;

  constructor(
    @Inject(DATABASES) databases: Databases,
    @Inject(EVENT_STORE) store: EventStore,
    accounts: AccountNames,
  ) {
    this.#pool = databases.tapedeck;
    this.#store = store;
    this.#accounts = accounts;
  }

  async execute({ accountId, cursor }: ListReplays): Promise<Replays> {
    const { rows } = await this.#pool.query<ReplayRow>(pageSql, [accountId ?? null, cursor ?? null]);
    const page = rows.slice(0, pageSize);
    const last = page.at(-1);
    return {
      replays: [...(await readSummaries(page, this.#store, this.#accounts))],
      nextCursor: rows.length > pageSize && last ? last.position : null,
    };
  }
}

@QueryHandler(ShowReplay)
export class ShowReplayHandler implements IQueryHandler<ShowReplay> {
  readonly #store: EventStore;
  readonly #service: ReplayService;
  readonly #accounts: AccountNames;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(REPLAY_SERVICE) service: ReplayService,
    accounts: AccountNames,
  ) {
    this.#store = store;
    this.#service = service;
    this.#accounts = accounts;
  }

  async execute({ replayId, actor }: ShowReplay): Promise<ReplayDetails> {
    const { databases } = this.#service.ports;
    const { rows } = await databases.tapedeck.query<ReplayRow>(oneSql, [replayId]);
    const [replay] = await readSummaries(rows, this.#store, this.#accounts);
    const state = await readReplay(this.#store, replayId);
    if (!replay || state.status === 'none') throw unknownReplay();
    if (state.status === 'applied') return { replay, plan: null };
    const { mode, target, at } = state.tried;
    const run = await this.#service.run({ replayId, mode, target, at, actor });
    return { replay, plan: toPlan(run, this.#service) };
  }
}
