import { DomainError } from '@tapedeck/kernel';
import type { EventStore } from '../event-store.ts';
import type { Position, RecordedEvent } from '../event.ts';
import { delay } from './abort.ts';
import { projectorMetrics } from './metrics.ts';
import type { ConsumerId } from './consumer-id.ts';

/** An event by which a read model recognises its tape. */
export type AppliedEvent = Readonly<Pick<RecordedEvent, 'position' | 'stream' | 'version' | 'id'>>;

/** How far a read model is, and the last event up to there; undefined before the first one. */
export type Progress = Readonly<{ position: Position; lastEvent: AppliedEvent | undefined }>;

const readModelOfAnotherTape = ({ name, version }: ConsumerId, reason: string): DomainError =>
  new DomainError(
    'unavailable',
    'READ_MODEL_OF_ANOTHER_TAPE',
    `This read model is of another tape: ${reason}. To rebuild it, run: delete from projection_checkpoints where projection = '${name}' and version = ${version}; it is then empty until it is projected again.`,
  );

const headTimeoutMs = 5_000;
const headPollIntervalMs = 25;

/** The end of the tape for this process, which may be behind that of the process that has moved the checkpoint. */
const headBeyond = async (store: EventStore, position: Position, signal: AbortSignal): Promise<Position> => {
  const deadline = performance.now() + headTimeoutMs;
  let head = await store.head();
  while (head < position && performance.now() < deadline && !signal.aborted) {
    await delay(headPollIntervalMs, signal);
    head = await store.head();
  }
  return head;
};

const reasonOfDifference = async (
  store: EventStore,
  { position, lastEvent }: Progress,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (lastEvent) {
    const { stream, version, id } = lastEvent;
    const [found] = await store.readStream(stream, { from: version, upTo: version, form: 'stored' });
    if (found?.id !== id || found.position !== lastEvent.position) {
      return `it has passed event ${version} of ${stream} with the id ${id}, and the tape has ${found ? 'another one' : 'none'} there`;
    }
  }
  const head = await headBeyond(store, position, signal);
  if (head >= position || signal.aborted) return undefined;
  return `it is projected up to position ${position}, and the tape ends at ${head} (unless an append has been open for long)`;
};

/**
 * Compares a read model, or another consumer, with the tape that it reads; they differ when one of them was restored from a
 * backup. Compares the event at the checkpoint, and the end.
 *
 * @throws DomainError READ_MODEL_OF_ANOTHER_TAPE, or that of `anotherTape`, which says what to do.
 */
export const assertSameTape = async (
  store: EventStore,
  consumerId: ConsumerId,
  progress: Progress,
  signal: AbortSignal,
  anotherTape = readModelOfAnotherTape,
): Promise<void> => {
  const reason = await reasonOfDifference(store, progress, signal);
  projectorMetrics.ofAnotherTape.set({ projection: consumerId.name }, reason === undefined ? 0 : 1);
  if (reason !== undefined) throw anotherTape(consumerId, reason);
};
