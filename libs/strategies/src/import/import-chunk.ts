import { handle, type CommandContext, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import { commandId, derivedId, DomainError, eventIdFor, type CommandId } from '@tapedeck/kernel';
import { strategyDecider, type ImportStrategy } from '../domain/decide.ts';
import type { StrategyRecord } from '../domain/strategy-record.ts';
import { strategyEvents, strategyStream } from '../events.ts';
import type { ImportOutcome, ImportTally } from './import-tally.ts';

export type ChunkItem = Readonly<{ entry: string; record: StrategyRecord; contentHash: string }>;
export type ChunkContext = Omit<CommandContext, 'commandId'>;

type Histories = ReadonlyMap<string, readonly RecordedEvent[]>;

/** A store whose streams were read beforehand in one round trip; a second reading, after a conflict, is real. */
const withHistories = (store: EventStore, histories: Histories): EventStore => {
  const read = new Set<string>();
  return {
    ...store,
    readStream: async (stream, options) => {
      if (read.has(stream)) return store.readStream(stream, options);
      read.add(stream);
      return histories.get(stream) ?? [];
    },
  };
};

/** An import that goes on after an interruption reports what its first run had done. */
const outcomeOf = (
  changed: boolean,
  version: number,
  command: CommandId,
  history: readonly RecordedEvent[] = [],
): ImportOutcome => {
  if (changed) return version === 1 ? 'added' : 'revised';
  const before = history.find(({ id }) => id === eventIdFor(command, 0));
  if (!before) return 'unchanged';
  return before.version === 1 ? 'added' : 'revised';
};

const isRefusalOfOne = (error: unknown): error is DomainError =>
  error instanceof DomainError && (error.kind === 'conflict' || error.kind === 'invalid');

/** Sends the command for each record of a chunk, all at once; each record has a stream of its own. */
export const importChunk = async (
  store: EventStore,
  context: ChunkContext,
  items: readonly ChunkItem[],
  tally: ImportTally,
): Promise<void> => {
  const histories = await store.readStreams(items.map(({ record }) => strategyStream(record.url_id)));
  const send = handle(withHistories(store, histories), strategyDecider, strategyEvents);

  const importOne = async ({ entry, record, contentHash }: ChunkItem): Promise<void> => {
    const stream = strategyStream(record.url_id);
    const command: ImportStrategy = { type: 'ImportStrategy', record, contentHash };
    const id = commandId(derivedId('import', context.correlationId, record.url_id, contentHash));
    try {
      const { changed, version } = await send(stream, command, { ...context, commandId: id });
      tally.settle(outcomeOf(changed, version, id, histories.get(stream)));
    } catch (error) {
      if (!isRefusalOfOne(error)) throw error;
      tally.reject({ entry, urlId: record.url_id, code: error.code, reason: error.message });
    }
  };

  const settled = await Promise.allSettled(items.map(importOne));
  for (const result of settled) if (result.status === 'rejected') throw result.reason;
};
