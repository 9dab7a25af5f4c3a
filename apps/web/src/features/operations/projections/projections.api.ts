import {
  ChangeRequested,
  JobsPage,
  operationsRoutes,
  ProjectionsPage,
  TapeFigures,
  type CancelBody,
  type ReasonBody,
} from '@tapedeck/operations/contract';
import { baseApi, listTag, onSuccess } from '../../../api/base-api.ts';

const projectionsTag = listTag('Projections');

type Change = Readonly<{ name: string; body: ReasonBody }>;

const projectionsApi = baseApi.enhanceEndpoints({ addTagTypes: [projectionsTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    projections: build.query<ProjectionsPage, void>({
      query: () => operationsRoutes.projections,
      responseSchema: ProjectionsPage,
      providesTags: [projectionsTag],
    }),
    jobs: build.query<JobsPage, void>({
      query: () => operationsRoutes.jobs,
      responseSchema: JobsPage,
    }),
    tapeFigures: build.query<TapeFigures, void>({
      query: () => operationsRoutes.tape,
      responseSchema: TapeFigures,
    }),
    rebuild: build.mutation<ChangeRequested, Change>({
      query: ({ name, body }) => ({ url: operationsRoutes.rebuild(name), method: 'POST', body }),
      responseSchema: ChangeRequested,
      invalidatesTags: onSuccess(projectionsTag),
    }),
    rollBack: build.mutation<ChangeRequested, Change>({
      query: ({ name, body }) => ({ url: operationsRoutes.rollBack(name), method: 'POST', body }),
      responseSchema: ChangeRequested,
      invalidatesTags: onSuccess(projectionsTag),
    }),
    cancelChange: build.mutation<void, Readonly<{ name: string; body: CancelBody }>>({
      query: ({ name, body }) => ({ url: operationsRoutes.cancel(name), method: 'POST', body }),
      invalidatesTags: onSuccess(projectionsTag),
    }),
  }),
});

export const {
  useJobsQuery,
  useProjectionsQuery,
  useTapeFiguresQuery,
  useRebuildMutation,
  useRollBackMutation,
  useCancelChangeMutation,
} = projectionsApi;
