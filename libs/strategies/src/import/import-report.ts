import {
  commandContext,
  handle,
  type Actor,
  type CommandContext,
  type EventStore,
  type Position,
} from '@tapedeck/eventing';
import { commandId, eventIdFor, timeOrderedId, type Clock, type DomainError } from '@tapedeck/kernel';
import {
  maxNamedRejections,
  strategyImportDecider,
  type StrategyImportCommand,
} from '../domain/decide-import.ts';
import type { ImportId } from '../domain/ids.ts';
import {
  type Duplicate,
  type ImportCounts,
  type ImportSource,
  type Rejection,
  type StrategyImport,
  strategyImportStream,
} from '../domain/strategy-import.ts';
import { strategyEvents } from '../events.ts';

/** The outcome of an import, as its stream has it. */
export type ImportReport = ImportCounts &
  Readonly<{
    importId: ImportId;
    source: ImportSource;
    /** Why the import stopped early; null when the source was read to its end. */
    failure: Readonly<{ code: string; reason: string }> | null;
    /** The first thousand; `rejected` counts all. */
    rejections: readonly Rejection[];
    /** The first hundred; `duplicateCount` counts all. */
    duplicates: readonly Duplicate[];
    duplicateCount: number;
    /** The position of the import's last event on the tape. */
    position: Position;
  }>;

/** Null while the import has not ended. */
const reportOf = (importId: ImportId, state: StrategyImport, position: Position): ImportReport | null => {
  if (state.status === 'new' || state.status === 'running') return null;
  const { source, rejections, outcome } = state;
  const { added, revised, unchanged, rejected } = outcome;
  const common = { importId, source, added, revised, unchanged, rejected, rejections, position };
  if ('code' in outcome) {
    const failure = { code: outcome.code, reason: outcome.reason };
    return { ...common, failure, duplicates: [], duplicateCount: 0 };
  }
  const { duplicates, duplicateCount } = outcome;
  return { ...common, failure: null, duplicates, duplicateCount };
};

/** Whether any of its strategies is in the catalogue now, be it new or unchanged. */
export const hasImported = ({ added, revised, unchanged }: ImportCounts): boolean =>
  added + revised + unchanged > 0;

export type ImportIdentity = Readonly<{ importId: ImportId; store: EventStore; actor: Actor; clock: Clock }>;

/** Writes the import's own stream. */
export type ImportStream = Readonly<{
  /** Begins or resumes the import; the report of one that is complete, else null. */
  request: (source: ImportSource) => Promise<ImportReport | null>;
  reject: (rejections: readonly Rejection[]) => Promise<void>;
  complete: (counts: ImportCounts, duplicates: readonly Duplicate[]) => Promise<ImportReport>;
  fail: (counts: ImportCounts, error: DomainError) => Promise<ImportReport>;
  /** The context of a new command that the import causes. */
  context: () => CommandContext;
}>;

export const openImportStream = ({ importId, store, actor, clock }: ImportIdentity): ImportStream => {
  const stream = strategyImportStream(importId);
  const handleImport = handle(store, strategyImportDecider, strategyEvents);
  const requestId = commandId(timeOrderedId(importId, 'request'));
  const endId = commandId(timeOrderedId(importId, 'end'));
  const origin = { actor, clock, correlationId: importId };
  let named = 0;

  const context = (): CommandContext =>
    commandContext({ ...origin, causationId: eventIdFor(requestId, stream, 0) });
  const end = async (command: StrategyImportCommand): Promise<ImportReport> => {
    const { state, position } = await handleImport(stream, command, { ...context(), commandId: endId });
    const report = reportOf(importId, state, position);
    if (report) return report;
    throw new Error(`Import ${importId} did not end.`);
  };

  return {
    request: async (source) => {
      const command: StrategyImportCommand = { type: 'RequestImport', importId, source };
      const requested = commandContext({ ...origin, commandId: requestId });
      const { state, position } = await handleImport(stream, command, requested);
      // A repeated command is not decided again, but a failed import or another source must be rejected.
      strategyImportDecider.decide(command, state);
      return reportOf(importId, state, position);
    },
    reject: async (rejections) => {
      const some = rejections.slice(0, maxNamedRejections - named);
      if (some.length === 0) return;
      named += some.length;
      // A new command each time: the decider drops the rejections that an interrupted run has written already.
      await handleImport(stream, { type: 'RejectEntries', importId, rejections: some }, context());
    },
    complete: (counts, duplicates) => end({ type: 'CompleteImport', importId, counts, duplicates }),
    fail: (counts, { code, message }) => end({ type: 'FailImport', importId, counts, code, reason: message }),
    context,
  };
};
