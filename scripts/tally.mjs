// The last line of `.ci/run`: what all runs together have counted.
import { say } from './console.mjs';
import { countsLine, lastCounts } from './run-jest.mjs';

const runs = (await Promise.all(['jest', 'jest-services'].map(lastCounts))).filter(
  (counts) => counts !== null,
);
const sum = (/** @type {keyof import('./run-jest.mjs').Counts} */ name) =>
  runs.reduce((total, counts) => total + counts[name], 0);
say(`In all: ${countsLine({ passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') })}`);
