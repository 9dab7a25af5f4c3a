import type { JsonValue } from '@tapedeck/kernel';
import { setImmediate } from 'node:timers/promises';
import type { SnapshotForm } from '../decider.ts';

/** For how long a large state may be converted before other work gets its turn. */
const sliceMs = 2;

const mapInSlices = async <From, To>(
  items: readonly From[],
  map: (item: From) => To,
): Promise<readonly To[]> => {
  const mapped: To[] = [];
  await setImmediate();
  let sliceEnd = performance.now() + sliceMs;
  for (const item of items) {
    mapped.push(map(item));
    if (performance.now() < sliceEnd) continue;
    await setImmediate();
    sliceEnd = performance.now() + sliceMs;
  }
  return mapped;
};

/** The state as the content of a snapshot: each entry as JSON on a line of its own. */
export const contentOf = async <State>(
  state: State,
  { toEntries }: SnapshotForm<State>,
): Promise<Uint8Array> => {
  const lines = await mapInSlices(toEntries(state), (entry) => JSON.stringify(entry));
  await setImmediate();
  return Buffer.from(lines.join('\n'));
};

/** @throws SyntaxError when the content is not that of a snapshot. */
export const stateIn = async <State>(
  content: Uint8Array,
  { fromEntries }: SnapshotForm<State>,
): Promise<State> => {
  const lines = content.length === 0 ? [] : Buffer.from(content).toString().split('\n');
  const entries = await mapInSlices(lines, (line) => JSON.parse(line) as JsonValue);
  await setImmediate();
  return fromEntries(entries);
};
