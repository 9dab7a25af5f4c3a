export { importId, type ImportId } from './domain/ids.ts';
export { importArchive } from './import/import-archive.ts';
export { importRecords, type ImportOptions, type ImportProgress } from './import/import-records.ts';
export { wentIn, type ImportReport } from './import/import-report.ts';
export { zipLimits } from './zip/zip-limits.ts';
export { runImport, summaryOf, type RunImportOptions } from './import/run-import.ts';
