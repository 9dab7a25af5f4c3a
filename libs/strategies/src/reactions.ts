import {
  commandTarget,
  dispatch,
  type Dispatch,
  type Reaction,
  type RecordedEvent,
} from '@tapedeck/eventing';
import type { SqlChangesCommitted } from '@tapedeck/sql-console/events';
import { strategyDecider } from './domain/decide.ts';
import { strategyEvents, strategyStream } from './events.ts';

const strategies = commandTarget(strategyDecider, strategyEvents);

/** Makes the changes that an admin has confirmed in the SQL console events of the strategies. */
export const strategyReactions: readonly Reaction[] = [
  {
    name: 'strategies-follow-console',
    types: ['SqlChangesCommitted'],
    react: (event): readonly Dispatch[] => {
      const { changes, queryId } = (event as RecordedEvent<SqlChangesCommitted>).data;
      const reason = `SQL console, query ${queryId}`;
      return changes.map((change) =>
        dispatch(strategies, strategyStream(change.urlId), { type: 'ApplyConsoleChange', ...change, reason }),
      );
    },
  },
];
