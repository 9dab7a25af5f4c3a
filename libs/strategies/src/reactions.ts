import { commandTarget, defineReaction, dispatch, type Reaction } from '@tapedeck/eventing';
import type { SqlChangesCommitted } from '@tapedeck/sql-console/events';
import { strategyDecider } from './domain/decide.ts';
import { strategyEvents, strategyStream } from './events.ts';

const strategies = commandTarget(strategyDecider, strategyEvents);

/** Makes the changes that an admin has confirmed in the SQL console events of the strategies. */
export const strategyReactions: readonly Reaction[] = [
  defineReaction<SqlChangesCommitted>({
    name: 'strategies-follow-console',
    types: { SqlChangesCommitted: true },
    react: ({ data: { changes, queryId } }) => {
      const reason = `SQL console, query ${queryId}`;
      return changes.map((change) =>
        dispatch(strategies, strategyStream(change.urlId), { type: 'ApplyConsoleChange', ...change, reason }),
      );
    },
  }),
];
