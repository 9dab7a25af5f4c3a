import { defineEvents, type DomainEvent } from '@tapedeck/eventing/core';

/** What is imported: an archive is a file with its size and hash, records come from a program. */
export type ImportSource =
  | Readonly<{ kind: 'archive'; name: string; sha256: string; size: number }>
  | Readonly<{ kind: 'records'; name: string }>;

export type Rejection = Readonly<{
  /** The place in the source: `strategies/S3LKflwr.json`, `all.ndjson line 12`. */
  entry: string;
  urlId: string | null;
  code: string;
  reason: string;
}>;

/** A url_id that occurs more than once in one import: the entry `kept` was imported, those in `dropped` were not. */
export type Duplicate = Readonly<{ urlId: string; kept: string; dropped: readonly string[] }>;

export type ImportCounts = Readonly<{ added: number; revised: number; unchanged: number; rejected: number }>;

type WithImportId = { importId: string };

export type ImportRequested = DomainEvent<'ImportRequested', WithImportId & { source: ImportSource }>;
export type ImportEntryRejected = DomainEvent<'ImportEntryRejected', WithImportId & Rejection>;
export type ImportCompleted = DomainEvent<
  'ImportCompleted',
  WithImportId & ImportCounts & { duplicates: readonly Duplicate[]; duplicateCount: number }
>;
/** The import stopped early; strategies imported until then stay in the catalogue, and are counted here. */
export type ImportFailed = DomainEvent<
  'ImportFailed',
  WithImportId & ImportCounts & { code: string; reason: string }
>;
export type StrategyImportEvent = ImportRequested | ImportEntryRejected | ImportCompleted | ImportFailed;

export const strategyImportEvents = defineEvents<StrategyImportEvent>({
  ImportRequested: { version: 1 },
  ImportEntryRejected: { version: 1 },
  ImportCompleted: { version: 1 },
  ImportFailed: { version: 1 },
});

export const strategyImportStream = (importId: string): string => `strategyImport-${importId}`;

type Running = Readonly<{ source: ImportSource; rejections: readonly Rejection[] }>;
export type StrategyImport =
  | Readonly<{ status: 'new' }>
  | (Running & Readonly<{ status: 'running' }>)
  | (Running & Readonly<{ status: 'completed'; outcome: ImportCompleted['data'] }>)
  | (Running & Readonly<{ status: 'failed'; outcome: ImportFailed['data'] }>);

export const newImport: StrategyImport = { status: 'new' };

export const evolveImport = (state: StrategyImport, event: StrategyImportEvent): StrategyImport => {
  if (event.type === 'ImportRequested') {
    return { status: 'running', source: event.data.source, rejections: [] };
  }
  if (state.status === 'new') return state;
  switch (event.type) {
    case 'ImportEntryRejected': {
      const { entry, urlId, code, reason } = event.data;
      return { ...state, rejections: [...state.rejections, { entry, urlId, code, reason }] };
    }
    case 'ImportCompleted':
      return {
        status: 'completed',
        source: state.source,
        rejections: state.rejections,
        outcome: event.data,
      };
    case 'ImportFailed':
      return { status: 'failed', source: state.source, rejections: state.rejections, outcome: event.data };
    default:
      return event satisfies never;
  }
};
