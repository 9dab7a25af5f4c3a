import { defineReaction, dispatch, type Reaction } from '@tapedeck/eventing';
import type { SqlChangesCommitted } from './domain/catalogue-edit.ts';
import { strategies } from './domain/decide.ts';
import { strategyStream } from './domain/strategy.ts';

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
