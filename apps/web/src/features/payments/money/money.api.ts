import {
  ActionOutcome,
  ActionPreview,
  MemberMoney,
  MoneyProposals,
  moneyRoutes,
  type AbandonBody,
  type ConfirmActionBody,
  type PreviewActionBody,
  type RejectProposalBody,
} from '@tapedeck/payments/contract';
import { baseApi, keepUnusedSeconds, listTag, onSuccess } from '../../../api/base-api.ts';
import { auditedMemberTag } from '../../../api/member-tags.ts';

const moneyTag = listTag('MemberMoney');
const proposalsTag = listTag('MoneyProposals');
/** Of `queues.api.ts`. */
const queuesTag = listTag('Queues');
const tagTypes = [moneyTag.type, proposalsTag.type, queuesTag.type, auditedMemberTag.type] as const;

/** What an action may change on the pages of support. */
const changed = onSuccess<typeof moneyTag | typeof proposalsTag | typeof queuesTag | typeof auditedMemberTag>(
  moneyTag,
  proposalsTag,
  queuesTag,
  auditedMemberTag,
);

type OfMember<Body> = Readonly<{ accountId: string; body: Body }>;
type OfProposal<Body> = Readonly<{ proposalId: string; body: Body }>;

const moneyApi = baseApi.enhanceEndpoints({ addTagTypes: tagTypes }).injectEndpoints({
  endpoints: (build) => ({
    memberMoney: build.query<MemberMoney, string>({
      query: (accountId) => moneyRoutes.money(accountId),
      responseSchema: MemberMoney,
      extraOptions: { repeatsWhenStale: true },
      keepUnusedDataFor: keepUnusedSeconds,
      providesTags: [moneyTag],
    }),
    /** Of a member, or of all. */
    moneyProposals: build.query<MoneyProposals, string | null>({
      query: (accountId) => ({
        url: moneyRoutes.proposals,
        params: new URLSearchParams(accountId === null ? {} : { accountId }),
      }),
      responseSchema: MoneyProposals,
      extraOptions: { repeatsWhenStale: true },
      keepUnusedDataFor: keepUnusedSeconds,
      providesTags: [proposalsTag],
    }),
    previewAction: build.mutation<ActionPreview, OfMember<PreviewActionBody>>({
      query: ({ accountId, body }) => ({ url: moneyRoutes.preview(accountId), method: 'POST', body }),
      responseSchema: ActionPreview,
    }),
    confirmAction: build.mutation<ActionOutcome, OfMember<ConfirmActionBody>>({
      query: ({ accountId, body }) => ({ url: moneyRoutes.confirm(accountId), method: 'POST', body }),
      responseSchema: ActionOutcome,
      invalidatesTags: changed,
    }),
    previewProposal: build.mutation<ActionPreview, OfProposal<Readonly<{ subscriptionId: string }>>>({
      query: ({ proposalId, body }) => ({
        url: moneyRoutes.previewProposal(proposalId),
        method: 'POST',
        body,
      }),
      responseSchema: ActionPreview,
    }),
    approveProposal: build.mutation<ActionOutcome, OfProposal<ConfirmActionBody>>({
      query: ({ proposalId, body }) => ({ url: moneyRoutes.approve(proposalId), method: 'POST', body }),
      responseSchema: ActionOutcome,
      invalidatesTags: changed,
    }),
    rejectProposal: build.mutation<unknown, OfProposal<RejectProposalBody>>({
      query: ({ proposalId, body }) => ({ url: moneyRoutes.reject(proposalId), method: 'POST', body }),
      invalidatesTags: changed,
    }),
    abandonRefused: build.mutation<unknown, AbandonBody>({
      query: (body) => ({ url: moneyRoutes.abandon, method: 'POST', body }),
      invalidatesTags: changed,
    }),
  }),
});

export const {
  useMemberMoneyQuery,
  useMoneyProposalsQuery,
  usePreviewActionMutation,
  useConfirmActionMutation,
  usePreviewProposalMutation,
  useApproveProposalMutation,
  useRejectProposalMutation,
  useAbandonRefusedMutation,
} = moneyApi;
