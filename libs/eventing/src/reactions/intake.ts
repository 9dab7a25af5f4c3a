import { isoNow } from '@tapedeck/kernel';
import type { TapePage } from '../event-store.ts';
import { delay, linkedAbortController } from '../runner/abort.ts';
import { advanceCheckpoint } from '../runner/checkpoint.ts';
import { lastEventOf, readAhead } from '../runner/leased-run.ts';
import { observeLag, projectorMetrics } from '../runner/metrics.ts';
import { passEmptyPage } from '../runner/pass-empty-pages.ts';
import { inTransaction } from '../runner/transaction.ts';
import { handlePage, storePage } from './page.ts';
import { beginIndexed, insertPending, type PendingEvent } from './pending-rows.ts';
import { RunEnded, type ConsumerRun } from './consumer.ts';

const fullPollIntervalMs = 100;

/** What remains pending and the move of the checkpoint are one transaction. @throws RunEnded when the lease is lost */
const passPage = async (
  run: ConsumerRun,
  page: TapePage,
  remaining: readonly PendingEvent[],
): Promise<void> => {
  const { pool, consumerId, epoch, position: from, leaseMs, clock } = run;
  const { position: to } = page;
  const lastEvent = (await lastEventOf(run, page)) ?? run.lastEvent;
  const move = { epoch, from, to, lastEvent, events: page.events.length, leaseMs };
  const assertMoved = (moved: number | undefined): void => {
    if (moved === undefined) throw new RunEnded('another process has the lease');
  };
  if (page.events.length === 0) assertMoved(await passEmptyPage(pool, consumerId, move));
  else if (remaining.length === 0) assertMoved(await advanceCheckpoint(pool, consumerId, move));
  else {
    await inTransaction(
      pool,
      async (client) => {
        assertMoved(await advanceCheckpoint(client, consumerId, move));
        await insertPending(client, consumerId.name, remaining, isoNow(clock));
      },
      beginIndexed,
    );
  }
  run.position = to;
  run.lastEvent = lastEvent;
  run.pending += remaining.length;
};

const handleNext = async (run: ConsumerRun, page: TapePage): Promise<readonly PendingEvent[]> => {
  const { consumer, onPoint } = run;
  if (page.events.length === 0) return [];
  if (consumer.kind === 'effect') return storePage(run, page.events);
  await onPoint('page-read', consumer.name);
  const remaining = await handlePage(run, page.events);
  await onPoint('page-handled', consumer.name);
  return remaining;
};

/** Those that were tried already are read again. */
const addTakenIn = (
  { takenIn }: ConsumerRun,
  { events }: TapePage,
  remaining: readonly PendingEvent[],
): void => {
  if (remaining.length === 0) return;
  const untried = new Set(remaining.filter(({ failure }) => !failure).map(({ position }) => position));
  takenIn.add(events.filter(({ position }) => untried.has(position)));
};

const waitForSpace = async (run: ConsumerRun): Promise<void> => {
  const { maxPending, logger, consumer, signal } = run;
  const isFull = (): boolean => run.pending - run.held >= maxPending;
  if (!isFull()) return;
  logger.error(
    { reaction: consumer.name, pending: run.pending },
    'too many events wait for work; reads no further ones until some are handled',
  );
  while (isFull() && !signal.aborted) await delay(fullPollIntervalMs, signal);
};

const takePages = async (
  run: ConsumerRun,
  pages: AsyncIterator<TapePage>,
  onPending: () => void,
): Promise<void> => {
  const { consumer, clock, signal } = run;
  const labels = { projection: consumer.name };
  for (let reading = readAhead(pages); ;) {
    const { done, value: page } = await reading;
    if (done === true || signal.aborted) return;
    reading = readAhead(pages);
    const started = performance.now();
    const remaining = await handleNext(run, page);
    addTakenIn(run, page, remaining);
    await passPage(run, page, remaining);
    projectorMetrics.events.inc(labels, page.events.length);
    projectorMetrics.batchDuration.observe(labels, (performance.now() - started) / 1_000);
    observeLag(consumer.name, clock, run.position, page.head, page.events.at(-1)?.recordedAt);
    if (remaining.length > 0) onPending();
    await waitForSpace(run);
  }
};

/** Reads the tape from the checkpoint on until the run ends. Calls `onPending` when there are new pending events. */
export const takeIn = async (run: ConsumerRun, onPending: () => void): Promise<void> => {
  const { store, consumer, position: after, batchSize } = run;
  const { controller, unlink } = linkedAbortController(run.signal);
  const { signal } = controller;
  const { types, form = 'current' } = consumer;
  const pages = store.follow({ after, batchSize, types, form, signal })[Symbol.asyncIterator]();
  try {
    await takePages(run, pages, onPending);
  } finally {
    // Without this a page that is read ahead would wait for new events.
    controller.abort();
    unlink();
    await pages.return?.().catch(() => {});
  }
};
