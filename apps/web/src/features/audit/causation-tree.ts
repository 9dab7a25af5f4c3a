import type { EventSummary } from '@tapedeck/audit/contract';

export type EventInTree = Readonly<{ event: EventSummary; depth: number }>;

/** The events of a correlation below the events that have caused them, in order of the tape. */
export const causationTree = (events: readonly EventSummary[]): readonly EventInTree[] => {
  const ids = new Set(events.map(({ id }) => id));
  const caused = new Map<string, EventSummary[]>();
  for (const event of events) {
    const cause = ids.has(event.causationId) ? event.causationId : '';
    caused.set(cause, [...(caused.get(cause) ?? []), event]);
  }
  const below = (cause: string, depth: number): readonly EventInTree[] =>
    (caused.get(cause) ?? []).flatMap((event) => [{ event, depth }, ...below(event.id, depth + 1)]);
  return below('', 0);
};
