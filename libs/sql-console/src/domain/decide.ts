import type { Decider } from '@tapedeck/eventing/core';
import { DomainError } from '@tapedeck/kernel';
import { catalogueEdits, type CommittedChange } from '@tapedeck/strategies/events';
import {
  emptyConsole,
  evolve,
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
      return catalogueEdits(queryId, command.changes);
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
