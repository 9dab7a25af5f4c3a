// A thread that does nothing but wait: timers of a busy event loop are late by a millisecond and more.
import { parentPort, workerData } from 'node:worker_threads';
import { now } from './clock.ts';

const { begin, arrivals } = workerData as { begin: number; arrivals: Float64Array };
const never = new Int32Array(new SharedArrayBuffer(4));
for (const [index, arrival] of arrivals.entries()) {
  const wait = begin + arrival - now();
  if (wait > 0) Atomics.wait(never, 0, 0, wait);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origins
  parentPort?.postMessage(index);
}
