export { importId } from './domain/ids.ts';
export { importRecords } from './import/import-records.ts';
export { runImport } from './import/run-import.ts';
export { followUploads } from './upload/follow-uploads.ts';
