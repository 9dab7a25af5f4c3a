import { describe, expect, it } from '@jest/globals';
import type { ImportStatus } from '@tapedeck/strategies/contract';
import { isEmpty, progressOf, refusalOf, uploadJob, type UploadFacts } from './upload-job.ts';

const nothing: UploadFacts = {
  isUploading: false,
  refusal: null,
  hasJob: false,
  isFound: false,
  status: undefined,
  error: undefined,
};
const processing: ImportStatus = {
  phase: 'processing',
  message: 'Processing...',
  processed: 50,
  total: 100,
  currentStrategy: 'Alligator',
  errors: [],
  errorCount: 0,
  imported: null,
  duplicates: [],
  duplicateCount: 0,
  file: null,
};
const found = { ...nothing, hasJob: true, isFound: true };

describe('the phase and the progress of an upload', () => {
  it.each<[phase: string, percent: number, facts: Partial<UploadFacts>]>([
    ['idle', 0, {}],
    ['uploading', 10, { isUploading: true }],
    ['uploading', 10, { hasJob: true }],
    ['reconnecting', 5, found],
    ['extracting', 20, { ...found, status: { ...processing, phase: 'extracting' } }],
    ['processing', 55, { ...found, status: processing }],
    ['processing', 20, { ...found, status: { ...processing, processed: 0, total: 0 } }],
    ['complete', 100, { ...found, status: { ...processing, phase: 'complete' } }],
    ['complete', 100, { ...found, error: { status: 404, details: null } }],
    ['error', 100, { ...found, status: processing, error: { status: 'network', details: null } }],
    ['error', 100, { refusal: { text: 'Upload failed: Content Too Large', details: null } }],
  ])('are %s and %d', (phase, percent, facts) => {
    const job = uploadJob({ ...nothing, ...facts });
    expect([job.phase, progressOf(job)]).toEqual([phase, percent]);
  });
});

describe('a chosen file', () => {
  it.each([
    ['a.zip', '', 20, null],
    ['A.ZIP', '', 1, null],
    ['a', 'application/zip', 1, null],
    ['a.txt', 'text/plain', 1, 'Invalid File Type'],
    ['a.zip', 'application/zip', 21, 'File Too Large'],
  ])('%s of type "%s" and size %d: %s', (name, type, size, title) => {
    expect(refusalOf({ name, type, size }, 20)?.title ?? null).toBe(title);
  });
});

describe('an upload that has brought nothing', () => {
  const ended = (phase: 'complete' | 'error', unchanged: number) =>
    uploadJob({
      ...found,
      status: { ...processing, phase, imported: { added: 0, revised: 0, unchanged, rejected: 3 } },
    });

  it('is one that has ended as it should, without a strategy', () => {
    expect(isEmpty(ended('complete', 0))).toBe(true);
    expect(isEmpty(ended('complete', 1))).toBe(false);
    expect(isEmpty(ended('error', 0))).toBe(false);
    expect(isEmpty(uploadJob({ ...found, error: { status: 404, details: null } }))).toBe(false);
  });
});
