import { defineProjection, type RowChange } from '../projection.ts';
import type { DomainEvent } from '../event.ts';
import { dispatch, dueDatesTable, type DueDates } from '../reaction.ts';
import { counters } from './sample-counters.ts';

const dayMs = 86_400_000;
export const firstDay = Date.parse('2026-11-21T12:00:00.000Z');
export const dayAt = (n: number): number => firstDay + n * dayMs;

const lastDay = 30;
const daysBetween = 10;

/**
 * `Noted` n in `note-a` makes `count-a` due on day n. What is counted then makes it due again ten days later, up to day 30;
 * a greater number, or one that is counted for another reason, can end that.
 */
export const sampleDueDates = defineProjection<DomainEvent<'Noted' | 'Counted', { n: number }>>({
  name: 'sample_due_dates',
  version: 1,
  database: 'tapedeck',
  types: { Noted: true, Counted: true },
  tables: [dueDatesTable('sample_due')],
  // `note-a` and `count-a` write the same row.
  keyOf: ({ stream }) => stream.replace('note-', 'count-'),
  fold: (events) =>
    events.flatMap(({ type, stream, data: { n } }): readonly RowChange[] => {
      if (!/^(?:note|count)-/.test(stream)) return [];
      const key = { stream: stream.replace('note-', 'count-'), kind: 'day' };
      const day = type === 'Noted' ? n : n + daysBetween;
      if (type === 'Counted' && n >= lastDay) return [{ op: 'remove', table: 'sample_due', key }];
      const row = { due_at: new Date(dayAt(day)).toISOString(), details: { n: day } };
      return [{ op: 'put', table: 'sample_due', key, row }];
    }),
});

export const countingDueDates = (overrides: Partial<DueDates> = {}): DueDates => ({
  name: 'counting-days',
  projection: 'sample_due_dates',
  table: 'sample_due',
  dispatch: ({ stream, details }) => [dispatch(counters, stream, { n: Number(details['n']) })],
  ...overrides,
});
