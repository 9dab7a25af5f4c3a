import { ImportStatus, LastImports, strategyRoutes, UploadAccepted } from '@tapedeck/strategies/contract';
import { baseApi, listTag } from '../../../api/base-api.ts';

const importsTag = listTag('Imports');

const uploadApi = baseApi.enhanceEndpoints({ addTagTypes: [importsTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    uploadStrategies: build.mutation<UploadAccepted, File>({
      query: (file) => {
        const body = new FormData();
        body.set('zipFile', file, file.name);
        return { url: strategyRoutes.upload, method: 'POST', body };
      },
      responseSchema: UploadAccepted,
    }),
    importStatus: build.query<ImportStatus, string>({
      query: (jobId) => strategyRoutes.importStatus(jobId),
      responseSchema: ImportStatus,
    }),
    lastImports: build.query<LastImports, void>({
      query: () => strategyRoutes.imports,
      responseSchema: LastImports,
      providesTags: [importsTag],
    }),
  }),
});

export const { useUploadStrategiesMutation, useImportStatusQuery, useLastImportsQuery } = uploadApi;

/** The last imports have changed: a page that shows them loads them again. */
export const importsChanged = () => uploadApi.util.invalidateTags([importsTag]);
