import { derivedId, DomainError, isoNow, messageOf } from '@tapedeck/kernel';
import type { RecordedEvent } from '../event.ts';
import { WaitingFor, type Dispatch, type ReadStream } from '../reaction.ts';
import { storableError } from '../runner/parking.ts';
import { linkedAbortController } from '../runner/abort.ts';
import { causedContext } from './caused-context.ts';
import { reactionMetrics } from './metrics.ts';
import type { Failure } from './pending-rows.ts';
import { RunEnded, type ConsumerRun } from './consumer.ts';

export type Outcome =
  | Readonly<{
      outcome: 'done';
      /**
       * Whether a repetition after later events of the key changes nothing: every command has left an event by which it is
       * recognised, and no state was read that may be another one then.
       */
      repeatable: boolean;
    }>
  | Readonly<{ outcome: 'failed'; failure: Failure }>
  /** The run has ended before; the event remains as it was. */
  | Readonly<{ outcome: 'interrupted' }>;

const retryable: ReadonlySet<string> = new Set(['unavailable', 'too-many']);

const retryAfterMs = ({ minBackoffMs, maxBackoffMs }: ConsumerRun, attempts: number): number => {
  const backoffMs = Math.min(minBackoffMs * 2 ** (attempts - 1), maxBackoffMs);
  return backoffMs * (0.5 + Math.random() / 2);
};

/** An event waits for its cause as long as it takes: support sees what for. */
const failureOf = (run: ConsumerRun, error: unknown, attempts: number): Failure => {
  const waitingFor = error instanceof WaitingFor ? storableError(error.message) : undefined;
  const isHopeless = error instanceof DomainError && !retryable.has(error.kind);
  const code = error instanceof DomainError ? `${error.code}: ` : '';
  return {
    error: storableError(`${code}${messageOf(error)}`),
    waitingFor,
    parks: isHopeless || (waitingFor === undefined && attempts >= run.maxAttempts),
    retryAfterMs: retryAfterMs(run, attempts),
  };
};

const unreadable = ({ type }: RecordedEvent, reason: string): DomainError =>
  new DomainError('unprocessable', 'EVENT_UNREADABLE', `The event ${type} cannot be read: ${reason}`);

const sendAll = async (
  run: ConsumerRun,
  event: RecordedEvent,
  dispatches: readonly Dispatch[],
  signal: AbortSignal,
): Promise<boolean> => {
  let allLeftEvents = true;
  for (const [index, one] of dispatches.entries()) {
    signal.throwIfAborted();
    const { firstVersion } = await run.commands.send(
      one,
      causedContext(run.consumer.name, event, index, run.clock),
    );
    if (firstVersion === null) allLeftEvents = false;
  }
  return allLeftEvents;
};

const assertReadable = (event: RecordedEvent): RecordedEvent => {
  if (event.unreadable !== undefined) throw unreadable(event, event.unreadable);
  return event;
};

/** What an attempt handles: one event, or several of one key together. */
export type Handled = readonly [RecordedEvent, ...(readonly RecordedEvent[])];

/**
 * Commands derive from the last event, so that they are others when more events are handled together than in an earlier
 * attempt.
 */
const execute = async (
  run: ConsumerRun,
  events: Handled,
  attempt: number,
  signal: AbortSignal,
): Promise<Outcome> => {
  const { consumer, clock, commands, onPoint } = run;
  const { name, kind, handle, handleTogether } = consumer;
  const [first] = events;
  const event = events.map(assertReadable).at(-1) ?? first;
  run.assertHeld();
  if (kind === 'effect') await onPoint('taken-in', name);
  let hasRead = false;
  const read: ReadStream = (target, stream) => {
    hasRead = true;
    return commands.read(target, stream);
  };
  const key = derivedId(event.id, name);
  const context = { read, key, now: isoNow(clock), attempt, signal };
  const dispatches =
    handleTogether && events.length > 1
      ? await handleTogether(events, context)
      : await handle(event, context);
  if (kind === 'effect') await onPoint('effect-ran', name);
  const allLeftEvents = await sendAll(run, event, dispatches, signal);
  if (kind === 'effect') await onPoint('effect-recorded', name);
  return { outcome: 'done', repeatable: allLeftEvents && !hasRead };
};

/** How long an attempt may take to end after its signal was aborted. */
const graceMs = 2_000;

/** The result of the work, unless it does not end after the signal was aborted. */
const endedBy = <Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    const abandon = (): void => reject(new Error('it did not end after its signal was aborted'));
    let timer: NodeJS.Timeout | undefined;
    const onAbort = (): void => {
      timer = setTimeout(abandon, graceMs);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    });
  });

/** Handles an event, or several together, once. `attempt` counts from 1. */
export const attemptEvents = async (
  run: ConsumerRun,
  events: () => Promise<Handled>,
  attempt: number,
): Promise<Outcome> => {
  const { consumer, interrupted, attemptMs } = run;
  const { controller, unlink } = linkedAbortController(interrupted);
  const { signal } = controller;
  let isTimeOver = false;
  const timer = setTimeout(() => {
    isTimeOver = true;
    controller.abort();
  }, attemptMs);
  const observe = (outcome: Outcome): Outcome => {
    reactionMetrics.attempts.inc({ reaction: consumer.name, outcome: outcome.outcome });
    return outcome;
  };
  const endTimer = reactionMetrics.attemptDuration.startTimer({ reaction: consumer.name });
  try {
    return observe(
      await endedBy(
        signal,
        events().then((read) => execute(run, read, attempt, signal)),
      ),
    );
  } catch (error) {
    if (interrupted.aborted || error instanceof RunEnded) return observe({ outcome: 'interrupted' });
    const failed = isTimeOver ? new Error(`No result after ${attemptMs / 1_000} s.`) : error;
    return observe({ outcome: 'failed', failure: failureOf(run, failed, attempt) });
  } finally {
    endTimer();
    clearTimeout(timer);
    unlink();
  }
};
