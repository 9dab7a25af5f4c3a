import type { SnapshotForm } from '@tapedeck/eventing/core';
import type { StrategyId } from '@tapedeck/strategies/events';
import { Map as ImmutableMap } from 'immutable';
import type { Favourites } from './favourites.ts';

type Entry = [urlId: StrategyId, revision: number, ...tags: string[]];

/** First the revision of the last removal, then an entry for each favourite. */
export const favouritesSnapshot: SnapshotForm<Favourites> = {
  version: 1,
  toEntries: ({ present, lastRemoval }) => [
    lastRemoval,
    ...present.entrySeq().map(([urlId, { revision, tags }]): Entry => [urlId, revision, ...tags]),
  ],
  fromEntries: ([lastRemoval, ...entries]) => ({
    lastRemoval: lastRemoval as number,
    present: ImmutableMap(
      // `toEntries` of the same version has written them.
      (entries as unknown as readonly Entry[]).map(([urlId, revision, ...tags]) => [
        urlId,
        { revision, tags },
      ]),
    ),
  }),
  subjectOf: (stream) => stream.slice('favourites-'.length),
};
