import { uploadLimits } from '@tapedeck/strategies/contract';
import { skipToken } from '@reduxjs/toolkit/query';
import { useEffect, useRef, useState } from 'react';
import { useDispatch } from 'react-redux';
import { detailsOf, problemOf } from '../../../api/problem-text.ts';
import { useRepeat } from '../../../api/use-repeat.ts';
import { storedText } from '../../../ui/browser/stored-text.ts';
import { formatWhole } from '../../../ui/format.ts';
import type { Problem } from '../../../ui/inline-error.tsx';
import { showToast } from '../../../ui/toasts.tsx';
import { importsChanged, useImportStatusQuery, useUploadStrategiesMutation } from './upload.api.ts';
import {
  countImported,
  isEmpty,
  isEnded,
  uploadJob,
  type UploadFacts,
  type UploadJob,
} from './upload-job.ts';

const storedJobId = storedText('tapedeck.upload');

const importedText = (count: number): string =>
  `Successfully processed ${formatWhole(count)} ${count === 1 ? 'strategy' : 'strategies'}`;

/** The import's end is shown once; the list of imports is loaded again when it begins and when it ends. */
const useEndToast = (job: UploadJob): void => {
  const dispatch = useDispatch();
  const shown = useRef<string | null>(null);
  const { phase, message, status } = job;
  useEffect(() => {
    if (phase === 'processing') dispatch(importsChanged());
  }, [phase, dispatch]);
  useEffect(() => {
    const isOver = isEnded({ phase });
    // After a lost connection it goes on, and ends once more.
    if (!isOver) shown.current = null;
    if (!isOver || shown.current === phase) return;
    shown.current = phase;
    dispatch(importsChanged());
    if (phase === 'error') {
      const isRefused = message.startsWith('Upload failed');
      const title = isRefused ? 'Upload Failed' : 'Upload Error';
      showToast({ kind: 'danger', title, text: message || 'Processing failed' });
      return;
    }
    if (isEmpty({ phase, status })) {
      showToast({ kind: 'warn', title: 'Nothing Imported', text: message });
      return;
    }
    const text = status?.imported ? importedText(countImported(status.imported)) : message;
    showToast({ kind: 'ok', title: 'Upload Complete', text });
  }, [phase, message, status, dispatch]);
};

type Job = Readonly<{ id: string; isFound: boolean }>;

const storedJob = (): Job | null => {
  const id = storedJobId.read();
  return id === null ? null : { id, isFound: true };
};

const useStatus = (job: Job | null): Pick<UploadFacts, 'status' | 'error'> => {
  const status = useImportStatusQuery(job?.id ?? skipToken, { refetchOnMountOrArgChange: true });
  const { currentData, error, refetch } = status;
  const known = error && 'status' in error ? error : undefined;
  const isOver = currentData?.phase === 'complete' || currentData?.phase === 'error' || known?.status === 404;
  // Also after a lost connection: the import continues without the page.
  useRepeat(status, {
    onRepeat: () => void refetch(),
    intervalMs: uploadLimits.pollIntervalMs,
    isOn: job !== null && !isOver,
  });
  return { status: currentData, error: known && { status: known.status, details: detailsOf(known) } };
};

export type Upload = Readonly<{
  job: UploadJob;
  upload: (file: File) => Promise<void>;
  reset: () => void;
}>;

/** The upload of this browser: it survives a reload of the page. */
export const useUpload = (): Upload => {
  const [job, setJob] = useState<Job | null>(storedJob);
  const [refusal, setRefusal] = useState<Problem | null>(null);
  const [send, { isLoading: isUploading }] = useUploadStrategiesMutation();
  const shown = uploadJob({
    isUploading,
    refusal,
    hasJob: job !== null,
    isFound: job?.isFound ?? false,
    ...useStatus(job),
  });
  useEndToast(shown);

  const reset = (): void => {
    storedJobId.write(null);
    setJob(null);
    setRefusal(null);
  };
  const upload = async (file: File): Promise<void> => {
    reset();
    const { data, error } = await send(file);
    if (data) {
      storedJobId.write(data.jobId);
      setJob({ id: data.jobId, isFound: false });
      return;
    }
    const title = error && 'title' in error ? `: ${error.title}` : '';
    const { text, details } = problemOf(error, 'Check the connection, then upload the file again.');
    setRefusal({ text: `Upload failed${title}. ${text}`, details });
  };
  return { job: shown, upload, reset };
};
