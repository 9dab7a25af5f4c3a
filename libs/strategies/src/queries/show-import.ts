import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { readEvents, type EventStore } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import { DATABASES, EVENT_STORE } from '@tapedeck/platform/tokens';
import { maxShownImportErrors, type ImportStatus } from '../contract.ts';
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
  imported: null,
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
  imported: null,
};

const endedStatus = (state: Exclude<StrategyImport, { status: 'new' }>): ImportStatus => {
  if (state.status === 'running') return elsewhere;
  const { added, revised, unchanged, rejected } = state.outcome;
  const imported = added + revised + unchanged;
  const duplicates =
    state.status === 'completed'
      ? state.outcome.duplicates.reduce((sum, { dropped }) => sum + dropped.length, 0)
      : 0;
  const processed = imported + rejected + duplicates;
  return {
    phase: state.status === 'completed' ? 'complete' : 'error',
    message:
      state.status === 'completed'
        ? `Successfully processed ${grouped(imported)} strategies`
        : state.outcome.reason,
    processed,
    total: processed,
    currentStrategy: null,
    errors: state.rejections.slice(-maxShownImportErrors).toReversed().map(errorOf),
    errorCount: rejected,
    imported: { added, revised, unchanged, rejected },
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
