import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { CLOCK, DATABASES } from '@tapedeck/platform/tokens';
import type { SessionList } from '../contract.ts';
import { placeName } from '../sessions/network.ts';
import type { SessionUser } from '../sessions/session-store.ts';

export class ListSessions extends Query<SessionList> {
  constructor(readonly current: Pick<SessionUser, 'accountId' | 'publicId'>) {
    super();
  }
}

/** Those that a request would find. */
const lastUsedFirst = `
  select s.public_id, s.created_at, s.seen_at, least(s.idle_until, s.ends_at) as until, s.browser, s.place,
         s.network_key is not null and s.network_key = (select c.network_key from sessions c where c.public_id = $3) as is_same_network
    from sessions s
    left join account_roles r using (account_id)
   where s.account_id = $1 and s.idle_until > $2 and s.ends_at > $2
     and s.roles_version = coalesce(r.version, 0)
   order by s.seen_at desc, s.public_id`;

type Row = Readonly<{
  public_id: string;
  created_at: Date;
  seen_at: Date;
  until: Date;
  browser: string | null;
  place: string | null;
  /** As the current one; null where that is not known. */
  is_same_network: boolean | null;
}>;

@QueryHandler(ListSessions)
export class ListSessionsHandler implements IQueryHandler<ListSessions> {
  readonly #databases: Databases;
  readonly #clock: Clock;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(CLOCK) clock: Clock) {
    this.#databases = databases;
    this.#clock = clock;
  }

  async execute({ current: { accountId, publicId } }: ListSessions): Promise<SessionList> {
    const values = [accountId, new Date(this.#clock.now()), publicId];
    const { rows } = await this.#databases.tapedeck.query<Row>(lastUsedFirst, values);
    return rows.map((row) => ({
      id: row.public_id,
      startedAt: row.created_at.toISOString(),
      seenAt: row.seen_at.toISOString(),
      endsAt: row.until.toISOString(),
      browser: row.browser,
      place: placeName(row.place),
      isSameNetwork: row.is_same_network ?? false,
      isCurrent: row.public_id === publicId,
    }));
  }
}
