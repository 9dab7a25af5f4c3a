import { dayMs } from '@tapedeck/kernel';
import { Inject, Optional } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { SEARCH_INDEX_FIGURES, type SearchIndexFigures } from '@tapedeck/search-engine/engine';
import type { TapeFigures } from '../contract.ts';
import { OPERATIONS_READS, type OperationsReads } from './operations-reads.ts';

export class ShowTape extends Query<TapeFigures> {}

const shownDays = 30;
/** Both ends are found by the primary key; the size is that of the files. */
const tapeSql = `
  select
    (select coalesce(sum(events), 0) from tape_days)::double precision as events,
    pg_total_relation_size('tape_events')::double precision as bytes,
    (select json_build_object('position', position::text, 'recordedAt', recorded_at, 'type', type)
       from tape_events order by position limit 1) as oldest,
    (select json_build_object('position', position::text, 'recordedAt', recorded_at, 'type', type)
       from tape_events order by position desc limit 1) as newest`;
const daysSql = `
  select to_char(day, 'YYYY-MM-DD') as day, type, events::double precision as events from tape_days where day > $1::date`;

type End = Readonly<{ position: string; recordedAt: string; type: string }>;
type TapeRow = Readonly<{ events: number; bytes: number; oldest: End | null; newest: End | null }>;
type DayRow = Readonly<{ day: string; type: string; events: number }>;

const endOf = (end: End | null): End | null =>
  end && { ...end, recordedAt: new Date(end.recordedAt).toISOString() };

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

@QueryHandler(ShowTape)
export class ShowTapeHandler implements IQueryHandler<ShowTape> {
  readonly #reads: OperationsReads;
  readonly #indexFigures: SearchIndexFigures | undefined;

  constructor(
    @Inject(OPERATIONS_READS) reads: OperationsReads,
    @Optional() @Inject(SEARCH_INDEX_FIGURES) indexFigures?: SearchIndexFigures,
  ) {
    this.#reads = reads;
    this.#indexFigures = indexFigures;
  }

  async execute(): Promise<TapeFigures> {
    const { databases } = this.#reads;
    const { rows } = await databases.tapedeck.query<TapeRow>(tapeSql);
    const [tape] = rows;
    return {
      events: tape?.events ?? 0,
      bytes: tape?.bytes ?? 0,
      oldest: endOf(tape?.oldest ?? null),
      newest: endOf(tape?.newest ?? null),
      ...(await this.#days()),
      index: (await this.#indexFigures?.()) ?? null,
    };
  }

  /** By the server's days: events are recorded by its clock. */
  async #days(): Promise<Pick<TapeFigures, 'days' | 'categories'>> {
    const { databases, categories } = this.#reads;
    const { rows: clock } = await databases.tapedeck.query<{ now: Date }>('select now() as now');
    const today = (clock[0]?.now ?? new Date(0)).getTime();
    const { rows } = await databases.tapedeck.query<DayRow>(daysSql, [dayOf(today - shownDays * dayMs)]);
    const totals = new Map<string, number>();
    const byDay = new Map<string, Record<string, number>>(
      Array.from({ length: shownDays }, (_, index) => [dayOf(today - (shownDays - 1 - index) * dayMs), {}]),
    );
    for (const { day, type, events } of rows) {
      const category = categories[type] ?? 'other';
      const counts = byDay.get(day);
      if (!counts) continue;
      counts[category] = (counts[category] ?? 0) + events;
      totals.set(category, (totals.get(category) ?? 0) + events);
    }
    return {
      categories: [...totals].sort(([, a], [, b]) => b - a).map(([category]) => category),
      days: [...byDay].map(([day, events]) => ({ day, events })),
    };
  }
}
