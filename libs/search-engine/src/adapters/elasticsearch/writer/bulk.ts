import { setTimeout as wait } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import { messageOf } from '@tapedeck/kernel';
import type { ProjectorLogger } from '@tapedeck/eventing/projections';
import type { Write } from '../index/documents.ts';
import { isPassing } from '../failures.ts';
import { writeAlias } from '../index/index-admin.ts';
import { fateOf, piecesOf, waitBefore } from './retry-policy.ts';
import { standingId, type CatalogueStanding } from '../snapshots.ts';

/** The index that was written to is not there any more. */
export class IndexGone extends Error {}

export type Writing = Readonly<{
  client: Client;
  index: string;
  logger: ProjectorLogger;
  /** Gives up waiting for a server that is away. */
  signal: AbortSignal;
}>;

/** Milliseconds for one bulk. */
const bulkTimeout = 30_000;
const piece = { lines: 500, characters: 5_000_000 };

type Line = Readonly<{ id: string; length: number; texts: readonly [action: string, document: string] }>;
type VersionType = 'external' | 'external_gte';

const lineOf = ({ id, version, document }: Write | StandingWrite, versionType: VersionType): Line => {
  const action = JSON.stringify({ index: { _id: id, version, version_type: versionType } });
  const text = JSON.stringify(document);
  return { id, length: action.length + text.length, texts: [action, text] };
};

type Item = Readonly<{ status: number; error?: Readonly<{ reason?: string | null }> | undefined }>;

const sortOut = (
  { index, logger }: Writing,
  lines: readonly Line[],
  items: readonly Item[],
): readonly Line[] =>
  lines.filter((line, at) => {
    const { status, error } = items[at] ?? { status: 503 };
    const fate = fateOf(status);
    if (fate === 'index gone') throw new IndexGone(`The index ${index} is gone: ${error?.reason ?? status}`);
    // Like the projector, which parks what it cannot fold: one bad row must not keep out all others.
    if (fate === 'refused') logger.error({ id: line.id, status, error }, 'strategy left out of the index');
    return fate === 'again';
  });

/** The lines that are still to be written. */
const send = async (writing: Writing, lines: readonly Line[]): Promise<readonly Line[]> => {
  const { client, index, signal } = writing;
  const { errors: some, items } = await client.bulk(
    {
      index: writeAlias(index),
      require_alias: true,
      operations: lines.flatMap(({ texts }) => texts),
      filter_path: ['errors', 'items.index.status', 'items.index.error'],
    },
    { requestTimeout: bulkTimeout, maxRetries: 0, signal },
  );
  if (!some) return [];
  return sortOut(
    writing,
    lines,
    items.map(({ index: item }) => item ?? { status: 503 }),
  );
};

/** Writes one piece however long the server is away; the piece is all that is kept in memory meanwhile. */
const writePiece = async (writing: Writing, lines: readonly Line[]): Promise<void> => {
  const { logger, signal, index } = writing;
  let left = lines;
  for (let failures = 0; ; failures++) {
    let reason = 'the server is busy';
    try {
      left = await send(writing, left);
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error;
      reason = messageOf(error);
    }
    if (left.length === 0) return;
    logger.warn(
      { index, failures: failures + 1, left: left.length, reason },
      'index not written, trying again',
    );
    await wait(waitBefore(failures), undefined, { signal });
  }
};

/**
 * Puts these versions into the index; done when they, or newer ones, are there. They are seen with the next
 * refresh.
 * @throws IndexGone; the signal's reason when it is aborted; what the server says when waiting is of no use.
 */
export const writeRows = async (writing: Writing, writes: readonly Write[]): Promise<void> => {
  const lines = writes.map((write) => lineOf(write, 'external'));
  for (const part of piecesOf(lines, piece)) await writePiece(writing, part);
};

type StandingWrite = Readonly<{ id: string; version: number; document: object }>;

/** Says where the catalogue stands; after the rows, since a reader of the tape goes on from here. */
export const writeStanding = async (writing: Writing, standing: CatalogueStanding): Promise<void> => {
  const document = { kind: 'catalogue', shown: standing };
  const write = { id: standingId, version: Number(standing.reached), document };
  await writePiece(writing, [lineOf(write, 'external_gte')]);
};
