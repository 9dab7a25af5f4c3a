import {
  SqlAnswer,
  sqlConsoleRoutes,
  SqlHistory,
  SqlSchema,
  type CommitSqlBody,
  type ExecuteSqlBody,
} from '@tapedeck/sql-console/contract';
import { baseApi, listTag } from '../../api/base-api.ts';

const historyTag = listTag('SqlHistory');
// Whatever became of a statement, it is in the history.
const requested = (): readonly (typeof historyTag)[] => [historyTag];

const sqlConsoleApi = baseApi.enhanceEndpoints({ addTagTypes: [historyTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    executeSql: build.mutation<SqlAnswer, ExecuteSqlBody>({
      query: (body) => ({ url: sqlConsoleRoutes.execute, method: 'POST', body }),
      responseSchema: SqlAnswer,
      invalidatesTags: requested,
    }),
    planSql: build.mutation<SqlAnswer, ExecuteSqlBody>({
      query: (body) => ({ url: sqlConsoleRoutes.plan, method: 'POST', body }),
      responseSchema: SqlAnswer,
      invalidatesTags: requested,
    }),
    commitSql: build.mutation<SqlAnswer, CommitSqlBody>({
      query: (body) => ({ url: sqlConsoleRoutes.commit, method: 'POST', body }),
      responseSchema: SqlAnswer,
      invalidatesTags: requested,
    }),
    cancelSql: build.mutation<unknown, string>({
      query: (queryId) => ({ url: sqlConsoleRoutes.cancel(queryId), method: 'POST' }),
    }),
    sqlHistory: build.query<SqlHistory, void>({
      query: () => sqlConsoleRoutes.history,
      responseSchema: SqlHistory,
      providesTags: [historyTag],
    }),
    sqlSchema: build.query<SqlSchema, void>({
      query: () => sqlConsoleRoutes.schema,
      responseSchema: SqlSchema,
    }),
  }),
});

export const {
  useExecuteSqlMutation,
  usePlanSqlMutation,
  useCommitSqlMutation,
  useCancelSqlMutation,
  useSqlHistoryQuery,
  useSqlSchemaQuery,
} = sqlConsoleApi;
