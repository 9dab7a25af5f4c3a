import { ImportStatus, LastImports, strategyRoutes, UploadAccepted } from '@tapedeck/strategies/contract';
import { baseApi, listTag, type ApiError } from '../../../api/base-api.ts';

const importsTag = listTag('Imports');

const refusal = async (response: Response): Promise<ApiError> => {
  const body: unknown = await response.json().catch(() => null);
  const { detail } = Object(body) as Readonly<{ detail?: unknown }>;
  return {
    status: response.status,
    message: `Upload failed: ${response.statusText || response.status}`,
    ...(typeof detail === 'string' ? { detail } : {}),
  };
};

const unreachable: ApiError = {
  status: 'network',
  message: 'Upload failed: the server cannot be reached',
  detail: 'Check the connection, then upload the file again.',
};

const uploadApi = baseApi.enhanceEndpoints({ addTagTypes: [importsTag.type] }).injectEndpoints({
  endpoints: (build) => ({
    /** The same file sent again while it waits is the same import, so it needs no idempotency key. */
    uploadStrategies: build.mutation<UploadAccepted, File>({
      queryFn: async (file, { signal }) => {
        const body = new FormData();
        body.set('zipFile', file, file.name);
        try {
          const response = await fetch(strategyRoutes.upload, {
            method: 'POST',
            body,
            credentials: 'include',
            signal,
          });
          if (!response.ok) return { error: await refusal(response) };
          return { data: UploadAccepted.parse(await response.json()) };
        } catch {
          return { error: unreachable };
        }
      },
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

export const { useUploadStrategiesMutation, useLastImportsQuery } = uploadApi;
/** Apart from each other, because how often the status is asked for depends on the status. */
export const { useQueryState: useImportStatusState, useQuerySubscription: useImportStatusSubscription } =
  uploadApi.endpoints.importStatus;
