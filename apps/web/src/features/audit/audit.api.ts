import {
  AccessDifference,
  AccessExplanation,
  AuditedMember,
  auditRoutes,
  EventDetail,
  FoundMembers,
  NoteAdded,
  RecentMembers,
  TapeDeck,
  Timeline,
  type AddNoteBody,
  type Knowledge,
} from '@tapedeck/audit/contract';
import { baseApi, keepUnusedSeconds, onSuccess } from '../../api/base-api.ts';
import { auditedMemberTag as memberTag } from '../../api/member-tags.ts';

/** What is drawn from the events of a member. */
const tapeTag = { type: memberTag.type, id: 'TAPE' } as const;
const drawnFromTape = [memberTag, tapeTag] as const;

/**
 * Members, the product and others of support change what support reads: an answer is asked for again when its page is opened
 * again, and by then is forgotten unless that is soon.
 */
const ofOthers = { keepUnusedDataFor: keepUnusedSeconds } as const;

export type InstantQuery = Readonly<{ accountId: string; at: string | null; knowledge: Knowledge }>;
export type DifferenceQuery = Readonly<{
  accountId: string;
  from: string;
  to: string | null;
  knowledge: Knowledge;
}>;
export type TimelineQuery = Readonly<{
  accountId: string;
  /** The parameters of `TimelineFilter` as text. */
  filter: string;
}>;

const paramsOf = (values: Readonly<Record<string, string | null>>): URLSearchParams => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== null) params.set(name, value);
  return params;
};

const auditApi = baseApi.enhanceEndpoints({ addTagTypes: [memberTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    foundMembers: build.query<FoundMembers, string>({
      query: (q) => ({ url: auditRoutes.find, params: paramsOf({ q }) }),
      responseSchema: FoundMembers,
      keepUnusedDataFor: 0,
    }),
    auditedMember: build.query<AuditedMember, string>({
      query: (accountId) => auditRoutes.member(accountId),
      responseSchema: AuditedMember,
      providesTags: [memberTag],
      ...ofOthers,
    }),
    access: build.query<AccessExplanation, InstantQuery>({
      query: ({ accountId, at, knowledge }) => ({
        url: auditRoutes.access(accountId),
        params: paramsOf({ at, knowledge }),
      }),
      responseSchema: AccessExplanation,
      providesTags: drawnFromTape,
      ...ofOthers,
    }),
    accessDifference: build.query<AccessDifference, DifferenceQuery>({
      query: ({ accountId, from, to, knowledge }) => ({
        url: auditRoutes.difference(accountId),
        params: paramsOf({ from, to, knowledge }),
      }),
      responseSchema: AccessDifference,
      providesTags: drawnFromTape,
      ...ofOthers,
    }),
    timeline: build.infiniteQuery<Timeline, TimelineQuery, string | null>({
      infiniteQueryOptions: {
        initialPageParam: null,
        getNextPageParam: ({ before }) => before ?? undefined,
      },
      query: ({ queryArg: { accountId, filter }, pageParam }) => {
        const params = new URLSearchParams(filter);
        if (pageParam !== null) params.set('before', pageParam);
        return { url: auditRoutes.timeline(accountId), params };
      },
      responseSchema: Timeline,
      providesTags: drawnFromTape,
      ...ofOthers,
    }),
    deck: build.query<TapeDeck, string>({
      query: (accountId) => auditRoutes.deck(accountId),
      responseSchema: TapeDeck,
      providesTags: drawnFromTape,
      ...ofOthers,
    }),
    recentMembers: build.query<RecentMembers, void>({
      query: () => auditRoutes.recent,
      responseSchema: RecentMembers,
    }),
    auditedEvent: build.query<EventDetail, Readonly<{ accountId: string; eventId: string }>>({
      query: ({ accountId, eventId }) => auditRoutes.event(accountId, eventId),
      responseSchema: EventDetail,
      // Its effects may follow later.
      providesTags: drawnFromTape,
      ...ofOthers,
    }),
    addNote: build.mutation<NoteAdded, Readonly<{ accountId: string; note: AddNoteBody }>>({
      query: ({ accountId, note }) => ({ url: auditRoutes.notes(accountId), method: 'POST', body: note }),
      responseSchema: NoteAdded,
      invalidatesTags: onSuccess(memberTag),
    }),
    redactNote: build.mutation<unknown, Readonly<{ accountId: string; noteId: string }>>({
      query: ({ accountId, noteId }) => ({ url: auditRoutes.note(accountId, noteId), method: 'DELETE' }),
      invalidatesTags: onSuccess(memberTag),
    }),
  }),
});

/** Has all that is drawn from the events of the member asked for again. */
export const invalidateTape = () => auditApi.util.invalidateTags([tapeTag]);

export const {
  useFoundMembersQuery,
  useAuditedMemberQuery,
  useAccessQuery,
  useAccessDifferenceQuery,
  useTimelineInfiniteQuery,
  useAuditedEventQuery,
  useDeckQuery,
  useRecentMembersQuery,
  useAddNoteMutation,
  useRedactNoteMutation,
} = auditApi;
