import { describe, expect, it } from '@jest/globals';
import { createMemoryEventStore } from '../adapters/memory.ts';
import { createStreamQueue, queueOf } from './handle-queue.ts';

const queue = () => createStreamQueue({ maxWaiting: 2, maxWaitMs: 60_000 });

/** A task that ends when the test says so. */
const openTask = () => {
  let end: () => void = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { task: () => ended, end };
};

describe('the queue of a stream', () => {
  it('runs its tasks one after the other in the order of arrival', async () => {
    const { run, streams } = createStreamQueue({ maxWaiting: 50, maxWaitMs: 60_000 });
    const log: string[] = [];
    const task = (name: string) => async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      return name;
    };
    const names = ['a', 'b', 'c', 'd'];
    expect(await Promise.all(names.map((name) => run('one', task(name))))).toEqual(names);
    expect(log).toEqual(names.flatMap((name) => [`${name} starts`, `${name} ends`]));
    expect(streams()).toBe(0);
  });

  it('goes on after a task that fails', async () => {
    const { run, streams } = queue();
    const failing = run('one', () => Promise.reject(new Error('failed')));
    const thrown = run('one', () => {
      throw new Error('thrown');
    });
    const next = run('one', async () => 'done');
    await expect(failing).rejects.toThrow('failed');
    await expect(thrown).rejects.toThrow('thrown');
    expect(await next).toBe('done');
    expect(streams()).toBe(0);
  });

  it('refuses a task when too many wait, and does not affect other streams', async () => {
    const { run, streams } = queue();
    const { task, end } = openTask();
    const accepted = [run('one', task), run('one', task), run('one', task)];
    const refused = { code: 'STREAM_BUSY', kind: 'unavailable' };
    await expect(run('one', task)).rejects.toMatchObject(refused);
    expect(await run('two', async () => 'done')).toBe('done');
    expect(streams()).toBe(1);
    end();
    await Promise.all(accepted);
    expect(await run('one', async () => 'again')).toBe('again');
    expect(streams()).toBe(0);
  });

  it('refuses a task that has waited too long, and never starts it', async () => {
    const { run, streams } = createStreamQueue({ maxWaiting: 2, maxWaitMs: 1 });
    const { task, end } = openTask();
    const first = run('one', task);
    const started: string[] = [];
    await expect(run('one', async () => started.push('late'))).rejects.toMatchObject({ code: 'STREAM_BUSY' });
    end();
    await first;
    expect(await run('one', async () => started)).toEqual([]);
    expect(streams()).toBe(0);
  });

  it('is one for all commands that are sent to a store', () => {
    const types = { Noted: { version: 1 } };
    const store = createMemoryEventStore({ types });
    expect(queueOf(store)).toBe(queueOf(store));
    expect(queueOf(createMemoryEventStore({ types }))).not.toBe(queueOf(store));
  });
});
