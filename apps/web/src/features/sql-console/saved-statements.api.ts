import {
  SavedStatementId,
  SavedStatementList,
  sqlConsoleRoutes,
  type SaveStatementBody,
} from '@tapedeck/sql-console/contract';
import { baseApi, listTag, onSuccess } from '../../api/base-api.ts';

const listOfSaved = listTag('SavedStatement');

const savedStatementsApi = baseApi.enhanceEndpoints({ addTagTypes: [listOfSaved.type] }).injectEndpoints({
  endpoints: (build) => ({
    savedStatements: build.query<SavedStatementList, void>({
      query: () => sqlConsoleRoutes.saved,
      responseSchema: SavedStatementList,
      providesTags: [listOfSaved],
    }),
    saveStatement: build.mutation<SavedStatementId, SaveStatementBody>({
      query: (body) => ({ url: sqlConsoleRoutes.saved, method: 'POST', body }),
      responseSchema: SavedStatementId,
      invalidatesTags: onSuccess(listOfSaved),
    }),
    renameStatement: build.mutation<unknown, Readonly<{ id: string; name: string }>>({
      query: ({ id, name }) => ({ url: sqlConsoleRoutes.savedStatement(id), method: 'PUT', body: { name } }),
      invalidatesTags: onSuccess(listOfSaved),
    }),
    deleteStatement: build.mutation<unknown, string>({
      query: (id) => ({ url: sqlConsoleRoutes.savedStatement(id), method: 'DELETE' }),
      invalidatesTags: onSuccess(listOfSaved),
    }),
  }),
});

export const {
  useSavedStatementsQuery,
  useSaveStatementMutation,
  useRenameStatementMutation,
  useDeleteStatementMutation,
} = savedStatementsApi;
