// A thread that only waits until the next request is due: the timers of a busy event loop can be late by milliseconds.
import { parentPort, workerData } from 'node:worker_threads';
import { monotonicMs } from './load.ts';

const { startMs, arrivalsMs } = workerData as { startMs: number; arrivalsMs: Float64Array };
const neverNotified = new Int32Array(new SharedArrayBuffer(4));
for (const [index, arrivalMs] of arrivalsMs.entries()) {
  const waitMs = startMs + arrivalMs - monotonicMs();
  if (waitMs > 0) Atomics.wait(neverNotified, 0, 0, waitMs);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
  parentPort?.postMessage(index);
}
