import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import { messageOf } from '@tapedeck/kernel';
import { isTransient, isTransientStatus, retryDelayMs } from '../failures.ts';
import type { DocumentWrite } from '../index/documents.ts';
import { writeAlias } from '../index/index-admin.ts';
import { indexStateDocument, indexStateId, type IndexState } from '../index/index-state.ts';

/** The index that was to be written no longer exists. */
export class IndexMissing extends Error {}

export type BulkTarget = Readonly<{
  client: Client;
  index: string;
  logger: ProjectorLogger;
  /** Ends the retries while the server is unavailable. */
  signal: AbortSignal;
}>;

const bulkTimeoutMs = 30_000;
const batchLimits = { maxLines: 500, maxCharacters: 5_000_000 };

export type RetryDecision =
  /** The document, or a newer one, is in the index. */
  | 'done'
  /** The server is overloaded, starting or stopping. */
  | 'retry'
  | 'index missing'
  /** The server will never accept the document. */
  | 'rejected';

/** What to do about one document of a bulk response. */
export const retryDecision = (status: number): RetryDecision => {
  // 409: a newer version is there already, as after an older or repeated change.
  if (status < 300 || status === 409) return 'done';
  if (status === 404) return 'index missing';
  return isTransientStatus(status) ? 'retry' : 'rejected';
};

/**
 * Batches within both limits; a line that exceeds the limit by itself gets a batch of its own.
 *
 * @example
 * splitIntoBatches(['aaa', 'bb', 'c'], { maxLines: 10, maxCharacters: 5 }) // [['aaa', 'bb'], ['c']]
 */
export const splitIntoBatches = <Line extends Readonly<{ length: number }>>(
  lines: readonly Line[],
  { maxLines, maxCharacters }: Readonly<{ maxLines: number; maxCharacters: number }>,
): readonly (readonly Line[])[] => {
  const batches: Line[][] = [];
  let characters = Infinity;
  for (const line of lines) {
    const current = batches.at(-1);
    const fits = current && current.length < maxLines && characters + line.length <= maxCharacters;
    if (fits) current.push(line);
    else batches.push([line]);
    characters = (fits ? characters : 0) + line.length;
  }
  return batches;
};

type Line = Readonly<{ id: string; length: number; texts: readonly [action: string, document: string] }>;
type VersionType = 'external' | 'external_gte';

const lineOf = (
  { id, version, document }: Readonly<{ id: string; version: number; document: object }>,
  versionType: VersionType,
): Line => {
  const action = JSON.stringify({ index: { _id: id, version, version_type: versionType } });
  const text = JSON.stringify(document);
  return { id, length: action.length + text.length, texts: [action, text] };
};

type Item = Readonly<{ status: number; error?: Readonly<{ reason?: string | null }> | undefined }>;

const linesToRetry = (
  { index, logger }: BulkTarget,
  lines: readonly Line[],
  items: readonly Item[],
): readonly Line[] =>
  lines.filter((line, at) => {
    const { status, error } = items[at] ?? { status: 503 };
    const decision = retryDecision(status);
    if (decision === 'index missing') {
      throw new IndexMissing(`The index ${index} does not exist: ${error?.reason ?? status}`);
    }
    // Like an event that the projector parks: one bad row must not keep out all others.
    if (decision === 'rejected') {
      logger.error({ id: line.id, status, error }, 'strategy not indexed: the server rejects its document');
    }
    return decision === 'retry';
  });

/** Returns the lines that must be sent again. */
const send = async (target: BulkTarget, lines: readonly Line[]): Promise<readonly Line[]> => {
  const { client, index, signal } = target;
  const { errors: hasErrors, items } = await client.bulk(
    {
      index: writeAlias(index),
      require_alias: true,
      operations: lines.flatMap(({ texts }) => texts),
      filter_path: ['errors', 'items.index.status', 'items.index.error'],
    },
    { requestTimeout: bulkTimeoutMs, maxRetries: 0, signal },
  );
  if (!hasErrors) return [];
  return linesToRetry(
    target,
    lines,
    items.map(({ index: item }) => item ?? { status: 503 }),
  );
};

/** Retries until the batch is written, however long the server is unavailable; keeps only this batch in memory. */
const writeBatch = async (target: BulkTarget, lines: readonly Line[]): Promise<void> => {
  const { logger, signal, index } = target;
  let unwritten = lines;
  for (let failures = 0; ; failures++) {
    let reason = 'the server is busy';
    try {
      unwritten = await send(target, unwritten);
    } catch (error) {
      if (signal.aborted || !isTransient(error)) throw error;
      reason = messageOf(error);
    }
    if (unwritten.length === 0) return;
    logger.warn(
      { index, failures: failures + 1, unwritten: unwritten.length, reason },
      'index write failed, retrying',
    );
    await wait(retryDelayMs(failures), undefined, { signal });
  }
};

/**
 * Resolves when the index contains these versions, or newer ones. They become visible with the next refresh.
 * @throws IndexMissing, the reason of the aborted signal, or the server's error when retrying is useless.
 */
export const writeRows = async (target: BulkTarget, writes: readonly DocumentWrite[]): Promise<void> => {
  const lines = writes.map((write) => lineOf(write, 'external'));
  for (const batch of splitIntoBatches(lines, batchLimits)) await writeBatch(target, batch);
};

/** To be called after the rows are written: a later writer reads the tape on from `state.reached`. */
export const writeIndexState = async (target: BulkTarget, state: IndexState): Promise<void> => {
  const write = { id: indexStateId, version: Number(state.reached), document: indexStateDocument(state) };
  await writeBatch(target, [lineOf(write, 'external_gte')]);
};
