// Prints the last line of `.ci/run`: the counts of all runs together.
import { say } from '@tapedeck/prepare/console';
import { countsLine, readCounts } from './run-jest.mjs';

const runs = (await Promise.all(['jest', 'jest-faults', 'jest-services'].map(readCounts))).filter(
  (counts) => counts !== null,
);
const total = (/** @type {keyof import('./run-jest.mjs').Counts} */ name) =>
  runs.reduce((sum, counts) => sum + counts[name], 0);
say(`In all: ${countsLine({ passed: total('passed'), failed: total('failed'), skipped: total('skipped') })}`);
