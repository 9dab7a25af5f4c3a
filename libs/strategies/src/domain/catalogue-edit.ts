import { defineEvents, type DomainEvent } from '@tapedeck/eventing/core';
import type { JsonValue } from '@tapedeck/kernel';

/** One row that a confirmed edit changes. `values`: the columns of a new row, or the changed ones. */
export type CommittedChange = Readonly<{
  op: 'insert' | 'update' | 'delete';
  urlId: string;
  values: Readonly<Record<string, JsonValue>>;
}>;

/**
 * A confirmed edit of the catalogue: what it contains happens. An edit of many rows has several, appended as one by the
 * module in whose stream it is confirmed.
 */
export type SqlChangesCommitted = DomainEvent<
  'SqlChangesCommitted',
  { queryId: string; part: number; changes: readonly CommittedChange[] }
>;

export const catalogueEditEvents = defineEvents<SqlChangesCommitted>({ SqlChangesCommitted: { version: 1 } });

/** An event stays below the limit of the store, and its reaction is short. */
const maxPart = { changes: 200, characters: 400_000 };

const partsOf = (changes: readonly CommittedChange[]): readonly (readonly CommittedChange[])[] => {
  const parts: CommittedChange[][] = [];
  let [part, characters]: [CommittedChange[], number] = [[], 0];
  for (const change of changes) {
    const size = JSON.stringify(change).length;
    if (part.length === 0 || part.length >= maxPart.changes || characters + size > maxPart.characters) {
      [part, characters] = [[], 0];
      parts.push(part);
    }
    part.push(change);
    characters += size;
  }
  return parts;
};

/** The strategy that an edit changes more than once, which it must not. */
export const changedTwice = (changes: readonly CommittedChange[]): string | undefined => {
  const ids = changes.map(({ urlId }) => urlId);
  return ids.length === new Set(ids).size ? undefined : ids.find((id, at) => ids.indexOf(id) !== at);
};

/** The events of a confirmed edit. */
export const catalogueEdits = (
  queryId: string,
  changes: readonly CommittedChange[],
): readonly SqlChangesCommitted[] =>
  partsOf(changes).map((part, at) => ({
    type: 'SqlChangesCommitted',
    data: { queryId, part: at, changes: part },
  }));
