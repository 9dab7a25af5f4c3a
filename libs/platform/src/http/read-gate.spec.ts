import { describe, expect, it } from '@jest/globals';
import { maxWaitingReads, ReadModels } from './read-gate.ts';

describe('the wait for a read model', () => {
  it('ends at once for a read when too many wait already, and is free again when they have ended', async () => {
    const ends: (() => void)[] = [];
    const readModels = new ReadModels();
    readModels.register('notes', (position) =>
      position > 1n
        ? new Promise((resolve) => {
            ends.push(() => resolve(true));
          })
        : Promise.reject(new Error('no connection')),
    );
    const waiting = Array.from({ length: maxWaitingReads }, () => readModels.reached('notes', 2n));
    expect(await readModels.reached('notes', 2n)).toBe(false);
    for (const end of ends) end();
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([true]));
    await expect(readModels.reached('notes', 1n)).rejects.toThrow('no connection');
    const again = Array.from({ length: maxWaitingReads }, () => readModels.reached('notes', 2n));
    for (const end of ends) end();
    expect(new Set(await Promise.all(again))).toEqual(new Set([true]));
  });
});
