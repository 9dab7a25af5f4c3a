import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readEvents, type EventStore } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { maxShownDuplicates, maxShownImportErrors, type ImportStatus } from '../contract.ts';
import { importId } from '../domain/ids.ts';
import {
  evolveImport,
  newImport,
  type Rejection,
  type StrategyImport,
  strategyImportEvents,
  strategyImportStream,
} from '../domain/strategy-import.ts';

export type ShownImport = Readonly<{ status: ImportStatus; position: bigint | null }>;

/** How far an import is, whichever process executes it. */
export class ShowImport extends Query<ShownImport> {
  constructor(readonly jobId: string) {
    super();
  }
}

type UploadRow = Readonly<{
  phase: 'extracting' | 'processing';
  processed: number;
  total: number;
  current: string;
  errors: readonly Rejection[];
  error_count: number;
  is_claimed: boolean;
}>;

const rowSql = `
  select phase, processed, total, current, errors, error_count, coalesce(lease_until > now(), false) as is_claimed
  from strategy_uploads where import_id = $1 and sha256 is not null`;

const errorOf = ({ entry, reason }: Rejection): ImportStatus['errors'][number] => ({
  strategy: entry,
  error: reason,
});
const grouped = (value: number): string => value.toLocaleString('en');

const notEnded = { imported: null, duplicates: [], duplicateCount: 0, file: null };

const runningMessage = ({ phase, processed, total, is_claimed }: UploadRow): string => {
  if (!is_claimed) return 'Waiting for the import to be taken up...';
  if (phase === 'extracting') return 'Extracting the ZIP file...';
  return `Processing ${grouped(processed)} of ${grouped(Math.max(total, processed))} strategies...`;
};

const runningStatus = (row: UploadRow): ImportStatus => ({
  phase: row.phase,
  message: runningMessage(row),
  processed: row.processed,
  total: Math.max(row.total, row.processed),
  currentStrategy: row.current === '' ? null : row.current,
  errors: row.errors.map(errorOf),
  errorCount: row.error_count,
  ...notEnded,
});

/** Of an import that another program executes, such as `npm run import`. */
const elsewhere: ImportStatus = {
  phase: 'processing',
  message: 'The import runs in another program, which shows its progress.',
  processed: 0,
  total: 0,
  currentStrategy: null,
  errors: [],
  errorCount: 0,
  ...notEnded,
};

type Ended = Exclude<StrategyImport, { status: 'new' | 'running' }>;

/** Of the rejections the reason that most of them have. */
const commonReason = (rejections: readonly Rejection[]): string | undefined => {
  const counts = new Map<string, number>();
  for (const { reason } of rejections) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
};

/** Why an import that ended as it should has brought nothing. */
const nothingImported = ({ rejections, outcome: { rejected } }: Ended): string => {
  const reason = commonReason(rejections) ?? '';
  return rejected === 1
    ? `Nothing was imported: the only entry was rejected. ${reason}`
    : `Nothing was imported: all ${grouped(rejected)} entries were rejected. The most frequent reason: ${reason}`;
};

const endMessage = (state: Ended, imported: number): string => {
  if (state.status === 'failed') return state.outcome.reason;
  if (imported === 0) return nothingImported(state);
  return `Successfully processed ${grouped(imported)} ${imported === 1 ? 'strategy' : 'strategies'}`;
};

const endedStatus = (state: Exclude<StrategyImport, { status: 'new' }>): ImportStatus => {
  if (state.status === 'running') return elsewhere;
  const { added, revised, unchanged, rejected } = state.outcome;
  const imported = added + revised + unchanged;
  const duplicates = state.status === 'completed' ? state.outcome.duplicates : [];
  const processed = imported + rejected + duplicates.reduce((sum, { dropped }) => sum + dropped.length, 0);
  return {
    phase: state.status === 'completed' ? 'complete' : 'error',
    message: endMessage(state, imported),
    processed,
    total: processed,
    currentStrategy: null,
    errors: state.rejections.slice(-maxShownImportErrors).toReversed().map(errorOf),
    errorCount: rejected,
    imported: { added, revised, unchanged, rejected },
    duplicates: duplicates
      .slice(0, maxShownDuplicates)
      .map(({ urlId, kept, dropped }) => ({ urlId, kept, dropped: [...dropped] })),
    duplicateCount: state.status === 'completed' ? state.outcome.duplicateCount : 0,
    file: state.source.kind === 'archive' ? { name: state.source.name, size: state.source.size } : null,
  };
};

const notFound = (): DomainError =>
  new DomainError(
    'not-found',
    'IMPORT_NOT_FOUND',
    'There is no import with this id: look at the list of the last imports.',
  );

@QueryHandler(ShowImport)
export class ShowImportHandler implements IQueryHandler<ShowImport> {
  readonly #pool: Databases['tapedeck'];
  readonly #store: EventStore;

  constructor(@Inject(DATABASES) databases: Databases, @Inject(EVENT_STORE) store: EventStore) {
    this.#pool = databases.tapedeck;
    this.#store = store;
  }

  async execute({ jobId }: ShowImport): Promise<ShownImport> {
    const id = importId(jobId);
    const { rows } = await this.#pool.query<UploadRow>(rowSql, [id]);
    if (rows[0]) return { status: runningStatus(rows[0]), position: null };
    const events = await readEvents(this.#store, strategyImportStream(id), strategyImportEvents);
    const state = events.reduce<StrategyImport>(evolveImport, newImport);
    if (state.status === 'new') throw notFound();
    return { status: endedStatus(state), position: events.at(-1)?.position ?? null };
  }
}
