import { ExportRight, explorerRoutes } from '@tapedeck/explorer/contract';
import { baseApi } from '../../../api/base-api.ts';
import { csvFileName, saveFile } from './save-file.ts';

export const exportApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    exportRight: build.query<ExportRight, void>({
      query: () => explorerRoutes.exportRight,
      responseSchema: ExportRight,
      providesTags: ['Session'],
    }),
    /** Loads the whole file before it is saved, so that one which breaks off is told and not kept. */
    exportCsv: build.query<null, string>({
      queryFn: async (query, _api, _extra, baseQuery) => {
        const params = new URLSearchParams(query);
        const answer = await baseQuery({ url: explorerRoutes.export, params, isFile: true });
        if (answer.error) return { error: answer.error };
        saveFile(answer.data as Blob, csvFileName(new Date()));
        return { data: null };
      },
      keepUnusedDataFor: 0,
    }),
  }),
});

export const { useExportRightQuery, useLazyExportCsvQuery } = exportApi;
