import type { ImportStatus } from '@tapedeck/strategies/contract';
import type { Problem } from '../../../ui/inline-error.tsx';

export type UploadPhase = 'idle' | 'uploading' | 'reconnecting' | ImportStatus['phase'];

/** What the screen shows of an upload. */
export type UploadJob = Readonly<{
  phase: UploadPhase;
  message: string;
  /** What support needs to find the error; null when the message says it all. */
  details: string | null;
  status: ImportStatus | null;
}>;

type StatusError = Readonly<{ status: number | string; details: string | null }>;

export type UploadFacts = Readonly<{
  isUploading: boolean;
  /** Why the file was not accepted. */
  refusal: Problem | null;
  /** Whether there is an import whose status is asked for. */
  hasJob: boolean;
  /** Whether the page found the import in the browser's storage. */
  isFound: boolean;
  status: ImportStatus | undefined;
  error: StatusError | undefined;
}>;

const job = (
  phase: UploadPhase,
  message: string,
  status: ImportStatus | null = null,
  details: string | null = null,
): UploadJob => ({ phase, message, details, status });

/** The phase follows from what is known: nothing has to be remembered about earlier phases. */
export const uploadJob = (facts: UploadFacts): UploadJob => {
  const { isUploading, refusal, hasJob, isFound, status, error } = facts;
  if (isUploading) return job('uploading', 'Uploading the file...');
  if (refusal !== null) return job('error', refusal.text, null, refusal.details);
  if (!hasJob) return job('idle', '');
  if (error?.status === 404) {
    return job(
      'complete',
      'The upload may have completed during a restart of the server: look at the last imports below.',
      status ?? null,
    );
  }
  if (error) {
    const text = 'Connection lost during upload... It continues on the server.';
    return job('error', text, status ?? null, error.details);
  }
  if (status) return job(status.phase, status.message, status);
  return isFound
    ? job('reconnecting', 'Reconnecting to the upload...')
    : job('uploading', 'Uploading the file...');
};

const processingFrom = 20;
const processingTo = 90;

/** In per cent. */
export const progressOf = ({ phase, status }: UploadJob): number => {
  switch (phase) {
    case 'idle':
      return 0;
    case 'reconnecting':
      return 5;
    case 'uploading':
      return 10;
    case 'extracting':
      return processingFrom;
    case 'processing': {
      const { processed = 0, total = 0 } = status ?? {};
      const share = total > 0 ? Math.min(1, processed / total) : 0;
      return processingFrom + share * (processingTo - processingFrom);
    }
    default:
      return 100;
  }
};

/** How many strategies of the import are in the catalogue now, be they new or unchanged. */
export const countImported = ({ added, revised, unchanged }: NonNullable<ImportStatus['imported']>): number =>
  added + revised + unchanged;

/** It has ended as it should, and brought nothing. */
export const isEmpty = ({ phase, status }: Pick<UploadJob, 'phase' | 'status'>): boolean =>
  phase === 'complete' && status?.imported != null && countImported(status.imported) === 0;

export const isEnded = ({ phase }: Pick<UploadJob, 'phase'>): boolean =>
  phase === 'complete' || phase === 'error';
export const isBusy = (one: UploadJob): boolean => one.phase !== 'idle' && !isEnded(one);

/** Why a file cannot be uploaded, as a title and a sentence; null when it can. */
export const refusalOf = (
  { name, type, size }: Pick<File, 'name' | 'type' | 'size'>,
  maxBytes: number,
): Readonly<{ title: string; text: string }> | null => {
  if (type !== 'application/zip' && !name.toLowerCase().endsWith('.zip')) {
    return { title: 'Invalid File Type', text: 'Please select a ZIP file containing strategy data.' };
  }
  if (size > maxBytes) return { title: 'File Too Large', text: 'File size must be under 20MB.' };
  return null;
};
