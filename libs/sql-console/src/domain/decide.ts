import type { Decider } from '@tapedeck/eventing/core';
import { DomainError } from '@tapedeck/kernel';
import {
  emptyConsole,
  evolve,
  type CommittedChange,
  type SqlCompleted,
  type SqlConsole,
  type SqlConsoleEvent,
  type SqlFailed,
  type SqlRequested,
} from './console.ts';

export type SqlConsoleCommand =
  | Readonly<{ type: 'RequestSql' } & SqlRequested['data']>
  | Readonly<{ type: 'CommitChanges'; queryId: string; changes: readonly CommittedChange[] }>
  | Readonly<{ type: 'CompleteSql' } & SqlCompleted['data']>
  | Readonly<{ type: 'FailSql' } & SqlFailed['data']>;

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

const idUsed = (): DomainError =>
  new DomainError('conflict', 'QUERY_ID_USED', 'A query with this id was run before: choose another id.');

const decide = (command: SqlConsoleCommand, { running }: SqlConsole): readonly SqlConsoleEvent[] => {
  const isRunning = running.has(command.queryId);
  switch (command.type) {
    case 'RequestSql': {
      const { type: _, ...data } = command;
      if (isRunning) throw idUsed();
      return [{ type: 'SqlRequested', data }];
    }
    case 'CommitChanges': {
      const { queryId } = command;
      if (!isRunning) return [];
      return partsOf(command.changes).map((changes, part) => ({
        type: 'SqlChangesCommitted',
        data: { queryId, part, changes },
      }));
    }
    case 'CompleteSql': {
      const { type: _, ...data } = command;
      return isRunning ? [{ type: 'SqlCompleted', data }] : [];
    }
    case 'FailSql': {
      const { type: _, ...data } = command;
      return isRunning ? [{ type: 'SqlFailed', data }] : [];
    }
    default:
      return command satisfies never;
  }
};

export const sqlConsoleDecider: Decider<SqlConsole, SqlConsoleCommand, SqlConsoleEvent> = {
  initialState: emptyConsole,
  decide,
  evolve,
  snapshot: {
    version: 1,
    toEntries: ({ running }) => [...running],
    fromEntries: (entries) => ({ running: new Set(entries.map(String)) }),
  },
};
