import { useState, type JSX } from 'react';
import { useCommands } from '../../../ui/browser/shortcuts.ts';
import { FileChooser, fileFieldId } from './file-chooser.tsx';
import { LastImports } from './last-imports.tsx';
import { isBusy, isEnded } from './upload-job.ts';
import { UploadProgress } from './upload-progress.tsx';
import { useUpload } from './use-upload.ts';

/** Imports strategies from a ZIP file. */
export const UploadCard = (): JSX.Element => {
  const [file, setFile] = useState<File | null>(null);
  const { job, upload, reset } = useUpload();
  const isRunning = isBusy(job);
  const isDone = isEnded(job);
  const clear = (): void => {
    setFile(null);
    reset();
  };
  // One button, so that the focus stays on it.
  const begin = (): void => {
    if (isDone) clear();
    else if (file !== null) void upload(file);
  };
  useCommands([
    {
      id: 'upload-choose',
      label: 'Choose a ZIP file to upload',
      keywords: 'import strategies',
      perform: () => document.getElementById(fileFieldId)?.click(),
    },
  ]);
  return (
    <section className="card" aria-label="Upload">
      <div className="card-pad upload-card">
        {(file !== null || job.phase === 'idle') && (
          <FileChooser file={file} isDisabled={isRunning || isDone} onChoose={setFile} />
        )}
        {job.phase !== 'idle' && <UploadProgress job={job} />}
        <div className="upload-actions">
          <button
            className="btn btn--primary"
            type="button"
            disabled={isRunning || (file === null && !isDone)}
            onClick={begin}
          >
            {isDone ? 'Upload Another' : isRunning ? 'Processing...' : 'Upload'}
          </button>
          <button
            className="btn"
            type="button"
            disabled={isRunning || (file === null && job.phase === 'idle')}
            onClick={clear}
          >
            Remove
          </button>
        </div>
      </div>
    </section>
  );
};

/** `/admin/upload`. */
export const UploadPage = (): JSX.Element => (
  <main className="wrap member-page" id="main">
    <h1>Strategy Upload</h1>
    <UploadCard />
    <LastImports />
  </main>
);
