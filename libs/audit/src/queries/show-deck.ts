import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AccountId } from '@tapedeck/kernel';
import { maxMarks, type Lane, type MarkKind, type TapeDeck } from '../contract.ts';
import { bandsOf } from '../domain/bands.ts';
import { isFailure } from '../domain/event-text.ts';
import { readPerson, type AuditReads } from './audit-reads.ts';
import { ACCESS_READS, type AccessReads } from './explain-access.ts';
import { subjectsSql } from './member-subjects.ts';

export class ShowDeck extends Query<TapeDeck> {
  constructor(readonly accountId: AccountId) {
    super();
  }
}

/** From the index alone, which has all of these columns. */
const marksSql = `
  with ${subjectsSql}
  select t.type, t.lane, t.occurred_at
    from subjects s cross join lateral (
      select type, lane, occurred_at, position from audit_timeline t
       where t.subject = s.subject and t.position <= coalesce(s.until, t.position)
       order by position desc limit $2
    ) t
   order by t.position desc limit $2`;

const totalSql = `
  with ${subjectsSql}
  select count(*)::int as total
    from subjects s join audit_timeline t on t.subject = s.subject and t.position <= coalesce(s.until, t.position)`;

type MarkRow = Readonly<{ type: string; lane: string; occurred_at: Date }>;
type Marks = Pick<TapeDeck, 'kinds' | 'marks'>;

const marksOf = (rows: readonly MarkRow[]): Marks => {
  const places = new Map<string, number>();
  const kinds: MarkKind[] = [];
  const marks = rows.map(({ type, lane, occurred_at }): [number, number] => {
    const key = `${type} ${lane}`;
    let place = places.get(key);
    if (place === undefined) {
      place = kinds.push({ type, lane: lane as Lane, isFailure: isFailure(type) }) - 1;
      places.set(key, place);
    }
    return [occurred_at.getTime(), place];
  });
  return { kinds, marks };
};

const readMarks = async ({ pool }: AuditReads, account: AccountId): Promise<Marks & { total: number }> => {
  const { rows } = await pool.query<MarkRow>(marksSql, [account, maxMarks]);
  if (rows.length < maxMarks) return { ...marksOf(rows), total: rows.length };
  const counted = await pool.query<{ total: number }>(totalSql, [account]);
  return { ...marksOf(rows), total: counted.rows[0]?.total ?? rows.length };
};

@QueryHandler(ShowDeck)
export class ShowDeckHandler implements IQueryHandler<ShowDeck> {
  readonly #reads: AccessReads;

  constructor(@Inject(ACCESS_READS) reads: AccessReads) {
    this.#reads = reads;
  }

  async execute({ accountId }: ShowDeck): Promise<TapeDeck> {
    const { reads, histories } = this.#reads;
    await readPerson(reads, accountId);
    const [marks, history] = await Promise.all([readMarks(reads, accountId), histories.of(accountId)]);
    return { bands: [...bandsOf(history)], ...marks };
  }
}
