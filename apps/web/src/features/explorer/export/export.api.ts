import { ExportRight, explorerRoutes } from '@tapedeck/explorer/contract';
import { baseApi } from '../../../api/base-api.ts';
import { saveFile } from '../../../ui/browser/save-file.ts';

/** `tapedeck-strategies-2026-03-14.csv`, with the day in UTC as on the server. */
const csvFileName = (now: Date): string => `tapedeck-strategies-${now.toISOString().slice(0, 10)}.csv`;

const exportApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    exportRight: build.query<ExportRight, void>({
      query: () => explorerRoutes.exportRight,
      responseSchema: ExportRight,
    }),
    /** Loads the whole file before saving it, so that a broken download is reported and not saved. */
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
