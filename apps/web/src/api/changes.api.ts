import { mailsTopic } from '@tapedeck/identity/contract';
import { membershipTopic } from '@tapedeck/membership/contract';
import { billingTopic } from '@tapedeck/payments/contract';
import { baseApi, keepUnusedSeconds, tapePosition } from './base-api.ts';
import { listenForChanges } from './listen-for-changes.ts';
import { billingTag, mailsTag, membershipTag } from './member-tags.ts';
import { laterPosition } from './tape-position.ts';

export type Changes = Readonly<{
  /** The newest position that was reported, by topic. */
  positions: Readonly<Partial<Record<string, string>>>;
  /** False while changes would go unreported. */
  isLive: boolean;
}>;

const nothingKnown: Changes = { positions: {}, isLive: false };

/** What has to be asked again when a topic of the account changes; payments are part of the history of a membership. */
type MemberTag = typeof billingTag | typeof mailsTag | typeof membershipTag;
const tagsOf: Readonly<Partial<Record<string, readonly MemberTag[]>>> = {
  [membershipTopic]: [membershipTag],
  [billingTopic]: [billingTag, membershipTag],
  [mailsTopic]: [mailsTag],
};

const memberApi = baseApi.enhanceEndpoints({
  addTagTypes: [billingTag.type, mailsTag.type, membershipTag.type],
});

const changesApi = memberApi.injectEndpoints({
  endpoints: (build) => ({
    changes: build.query<Changes, void>({
      queryFn: () => ({ data: nothingKnown }),
      keepUnusedDataFor: keepUnusedSeconds,
      onCacheEntryAdded: async (_, { dispatch, updateCachedData, cacheDataLoaded, cacheEntryRemoved }) => {
        await cacheDataLoaded;
        const setLive = (isLive: boolean): void => void updateCachedData((known) => ({ ...known, isLive }));
        const stop = listenForChanges({
          onReady: () => {
            setLive(true);
            // What has changed since it was asked for, before changes were reported, is known only by asking.
            dispatch(memberApi.util.invalidateTags([billingTag, mailsTag, membershipTag]));
          },
          onChange: ({ topic, position }) => {
            updateCachedData(({ positions }) => ({
              positions: {
                ...positions,
                [topic]: laterPosition(positions[topic] ?? null, position) ?? position,
              },
              isLive: true,
            }));
            const tags = tagsOf[topic];
            if (!tags) return;
            tapePosition.record(position);
            dispatch(memberApi.util.invalidateTags([...tags]));
          },
          onLost: () => setLive(false),
        });
        await cacheEntryRemoved;
        stop();
      },
    }),
  }),
});

export const { changes } = changesApi.endpoints;

/** One connection of this page for all that use it. */
export const useChanges = (options?: Readonly<{ skip: boolean }>): Changes =>
  changesApi.useChangesQuery(undefined, options).data ?? nothingKnown;
