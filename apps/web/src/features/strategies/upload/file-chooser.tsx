import { uploadLimits } from '@tapedeck/strategies/contract';
import { useState, type DragEvent, type JSX } from 'react';
import { formatBytes } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { hideToast, showToast } from '../../../ui/toasts.tsx';
import { refusalOf } from './upload-job.ts';

export const fileFieldId = 'upload-file';

export type FileChooserProps = Readonly<{
  file: File | null;
  isDisabled: boolean;
  onChoose: (file: File) => void;
}>;

/** A file by its dialog, or dropped from another window. */
export const FileChooser = ({ file, isDisabled, onChoose }: FileChooserProps): JSX.Element => {
  const [isOver, setOver] = useState(false);
  const choose = (chosen: File | undefined): void => {
    if (!chosen) return;
    const refusal = refusalOf(chosen, uploadLimits.maxBytes);
    if (refusal) return showToast({ kind: 'danger', ...refusal, cause: fileFieldId });
    hideToast(fileFieldId);
    onChoose(chosen);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    if (!isDisabled) choose(event.dataTransfer.files[0]);
  };
  return (
    <div
      className={isOver && !isDisabled ? 'drop is-over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <input
        id={fileFieldId}
        type="file"
        accept=".zip,application/zip"
        aria-label="ZIP file"
        aria-describedby="upload-hint"
        disabled={isDisabled}
        onChange={({ target }) => {
          choose(target.files?.[0]);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      <Icon name="upload" />
      <div>
        <p className="drop-name">
          {file === null ? 'Drop a ZIP file here' : file.name}
          {file !== null && <span className="meta"> {formatBytes(file.size)}</span>}
        </p>
        <p className="hint" id="upload-hint">
          JSON files of strategies, one or several to a file; 20 MB at most.
        </p>
      </div>
      <span className="btn push" aria-hidden="true">
        Choose file
      </span>
    </div>
  );
};
