import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EventStore } from '@tapedeck/eventing';
import { DomainError, type Clock } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { Logger } from '@tapedeck/platform/log';
import { importId } from '../domain/ids.ts';
import type { Rejection } from '../domain/strategy-import.ts';
import type { ArchiveItems } from '../import/archive-items.ts';
import { importArchive } from '../import/import-archive.ts';
import type { ImportProgress } from '../import/import-records.ts';
import {
  claimUpload,
  releaseLease,
  removeAbandoned,
  removeUpload,
  renewLease,
  saveProgress,
  writeUpload,
  type ClaimedUpload,
} from './claim-upload.ts';
import { unpackInChild, type UnpackLimits } from './unpack-in-child.ts';

export type UploadsOptions = Readonly<{
  store: EventStore;
  /** The database of the tape. */
  pool: Databases['tapedeck'];
  clock: Clock;
  logger: Logger;
  signal: AbortSignal;
  /** After this time another process continues what a dead one has left. */
  leaseMs?: number;
  limits?: UnpackLimits;
}>;

const defaultLeaseMs = 6_000;
const pollIntervalMs = 500;
const progressIntervalMs = 200;
const abandonedAfterMs = 10 * 60_000;
const maxFailures = 5;
const maxShownErrors = 10;

const tooOften = (): DomainError =>
  new DomainError(
    'invalid',
    'IMPORT_FAILED_REPEATEDLY',
    'The import was interrupted several times: check the log of the projector, then send the file again.',
  );

/** Ends an import that would otherwise be repeated for ever. */
const refuseToUnpack = (): ArchiveItems => ({
  items: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(tooOften()) }) }),
  total: () => null,
});

/** Saves the newest progress at intervals, one at a time. */
const progressWriter = (
  pool: Databases['tapedeck'],
  upload: ClaimedUpload,
): Readonly<{ note: (progress: ImportProgress) => void; flushed: () => Promise<void> }> => {
  let errors: readonly Rejection[] = [];
  let writing: Promise<void> = Promise.resolve();
  let savedAt = 0;
  const note = ({ done, total, current, rejected, rejections }: ImportProgress): void => {
    errors = [...rejections.toReversed(), ...errors].slice(0, maxShownErrors);
    if (performance.now() - savedAt < progressIntervalMs) return;
    savedAt = performance.now();
    const progress = { processed: done, total: total ?? 0, current, errors, errorCount: rejected };
    // The next one says it, when this one is lost.
    writing = writing.then(() => saveProgress(pool, upload, progress)).catch(() => undefined);
  };
  return { note, flushed: () => writing };
};

/** Renews the lease until `stop`; calls `onLost` once when it cannot. */
const keepLease = (
  { pool, leaseMs = defaultLeaseMs }: UploadsOptions,
  upload: ClaimedUpload,
  onLost: () => void,
): (() => void) => {
  let renewedAt = performance.now();
  const renew = async (): Promise<void> => {
    const startedAt = performance.now();
    const isHeld = await renewLease(pool, upload, leaseMs).catch(() => undefined);
    if (isHeld) renewedAt = startedAt;
    if (isHeld === false || performance.now() - renewedAt > leaseMs) onLost();
  };
  const timer = setInterval(() => void renew(), leaseMs / 3);
  return () => clearInterval(timer);
};

const filePrefixOf = ({ import_id }: ClaimedUpload): string => `tapedeck-upload-${import_id}-`;
const fileNameOf = (upload: ClaimedUpload): string => `${filePrefixOf(upload)}${upload.lease_token}.zip`;

/** What processes that were killed during the same import have left on this machine. */
const removeLeftFiles = async (upload: ClaimedUpload): Promise<void> => {
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(filePrefixOf(upload)));
  for (const name of left) await rm(join(tmpdir(), name), { force: true });
};

const runImport = async (
  { store, pool, clock, limits }: UploadsOptions,
  upload: ClaimedUpload,
  signal: AbortSignal,
): Promise<void> => {
  await removeLeftFiles(upload);
  const path = join(tmpdir(), fileNameOf(upload));
  const progress = progressWriter(pool, upload);
  try {
    await writeUpload(pool, upload, path);
    await importArchive({
      path,
      name: upload.name,
      importId: importId(upload.import_id),
      store,
      clock,
      actor: { id: upload.actor_id, kind: upload.actor_kind },
      onProgress: progress.note,
      unpack: () => (upload.failures >= maxFailures ? refuseToUnpack() : unpackInChild(path, signal, limits)),
    });
    await progress.flushed();
    await removeUpload(pool, upload);
  } finally {
    await progress.flushed();
    await rm(path, { force: true });
  }
};

const runClaimed = async (options: UploadsOptions, upload: ClaimedUpload): Promise<void> => {
  const { pool, logger, signal } = options;
  const lost = new AbortController();
  const stopRenewing = keepLease(options, upload, () => lost.abort());
  try {
    await runImport(options, upload, AbortSignal.any([signal, lost.signal]));
  } catch (error) {
    const failures = upload.failures + (signal.aborted || lost.signal.aborted ? 0 : 1);
    logger.warn({ err: error, importId: upload.import_id }, 'an import was interrupted, will be continued');
    await releaseLease(pool, upload, failures);
    await delay(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  } finally {
    stopRenewing();
  }
};

/** Imports what waits, until nothing does. */
const importWaiting = async (options: UploadsOptions): Promise<void> => {
  const { pool, signal, leaseMs = defaultLeaseMs } = options;
  await removeAbandoned(pool, abandonedAfterMs);
  while (!signal.aborted) {
    const upload = await claimUpload(pool, leaseMs);
    if (!upload) return;
    await runClaimed(options, upload);
  }
};

/**
 * Imports uploaded files, one after the other, until the signal is aborted. An import that was interrupted continues under
 * its id, here or in another process: what it has written is not written again.
 *
 * @example
 * const uploads = followUploads({ store, pool: databases.tapedeck, clock, logger, signal });
 * await uploads;
 */
export const followUploads = async (options: UploadsOptions): Promise<void> => {
  const { signal, logger } = options;
  while (!signal.aborted) {
    try {
      await importWaiting(options);
    } catch (error) {
      logger.warn({ err: error }, 'uploaded files cannot be imported at the moment');
    }
    await delay(pollIntervalMs, undefined, { signal }).catch(() => undefined);
  }
};
