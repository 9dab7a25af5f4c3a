import { handle, type Actor, type CommandContext, type EventStore, type Handled } from '@tapedeck/eventing';
import { commandId, derivedId, eventIdFor, isoNow, newId, type Clock } from '@tapedeck/kernel';
import type { ImportId } from '../domain/ids.ts';
import {
  maxNamedRejections,
  strategyImportDecider,
  type StrategyImportCommand,
} from '../domain/decide-import.ts';
import type {
  Duplicate,
  ImportCounts,
  ImportSource,
  Rejection,
  StrategyImport,
} from '../domain/strategy-import.ts';
import { strategyEvents, strategyImportStream } from '../events.ts';
import { reportOf, type ImportReport } from './import-report.ts';

export type ImportIdentity = Readonly<{ importId: ImportId; store: EventStore; actor: Actor; clock: Clock }>;

/** An import's own stream, as commands. */
export type ImportStream = Readonly<{
  /** The report of an import that is complete already; null when there is work to do. */
  request: (source: ImportSource) => Promise<ImportReport | null>;
  reject: (rejections: readonly Rejection[]) => Promise<void>;
  complete: (counts: ImportCounts, duplicates: readonly Duplicate[]) => Promise<ImportReport>;
  fail: (counts: ImportCounts, failure: Readonly<{ code: string; message: string }>) => Promise<ImportReport>;
  /** For the commands that the import gives to strategies. */
  context: () => Omit<CommandContext, 'commandId'>;
}>;

export const openImportStream = ({ importId, store, actor, clock }: ImportIdentity): ImportStream => {
  const stream = strategyImportStream(importId);
  const handleImport = handle(store, strategyImportDecider, strategyEvents);
  const requestId = commandId(derivedId('import', importId, 'request'));
  let named = 0;

  const because = (): Omit<CommandContext, 'commandId'> => ({
    actor,
    now: isoNow(clock),
    correlationId: importId,
    causationId: eventIdFor(requestId, 0),
  });
  const send = async (command: StrategyImportCommand, id: string): Promise<Handled<StrategyImport>> =>
    handleImport(stream, command, { ...because(), commandId: commandId(id) });
  const end = async (command: StrategyImportCommand): Promise<ImportReport> => {
    const { state, position } = await send(command, derivedId('import', importId, 'end'));
    const report = reportOf(importId, state, position);
    if (report) return report;
    throw new Error(`Import ${importId} did not end.`);
  };

  return {
    request: async (source) => {
      const { actor: who, now, correlationId } = because();
      const command: StrategyImportCommand = { type: 'RequestImport', importId, source };
      const { state, position } = await handleImport(stream, command, {
        commandId: requestId,
        actor: who,
        now,
        correlationId,
      });
      // A repeated request is not decided again by itself, but another source or a failed import must be refused.
      strategyImportDecider.decide(command, state);
      return reportOf(importId, state, position);
    },
    reject: async (rejections) => {
      const some = rejections.slice(0, maxNamedRejections - named);
      if (some.length === 0) return;
      named += some.length;
      // The stream knows which are named already, so each telling is a command of its own.
      await send({ type: 'RejectEntries', importId, rejections: some }, newId());
    },
    complete: (counts, duplicates) => end({ type: 'CompleteImport', importId, counts, duplicates }),
    fail: (counts, { code, message }) => end({ type: 'FailImport', importId, counts, code, reason: message }),
    context: because,
  };
};
