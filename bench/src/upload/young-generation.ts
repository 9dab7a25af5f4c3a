// Loaded by `node --import` into a process whose memory is measured. Tells its parent, when it is asked, how large the young
// generations of its threads are: V8 enlarges them with any load, up to the size that its options permit.
import { getHeapSpaceStatistics } from 'node:v8';
import { BroadcastChannel, isMainThread, threadId } from 'node:worker_threads';

type Thread = Readonly<{ threadId: number; bytes: number }>;

const youngBytes = (): number =>
  getHeapSpaceStatistics()
    .filter(({ space_name }) => space_name.startsWith('new_'))
    .reduce((sum, { physical_space_size }) => sum + physical_space_size, 0);

const channel = new BroadcastChannel('young-generation');
channel.unref();
if (isMainThread) {
  const threads = new Map<number, number>();
  channel.addEventListener('message', (message) => {
    // Of our threads; Node's types do not say what an event carries.
    const { data } = message as unknown as Readonly<{ data: Thread }>;
    threads.set(data.threadId, data.bytes);
  });
  process.on('message', () => {
    process.send?.([...threads.values()].reduce((sum, bytes) => sum + bytes, youngBytes()));
  });
} else {
  const intervalMs = 100;
  const send = (): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- threads have no origin
    channel.postMessage({ threadId, bytes: youngBytes() } satisfies Thread);
  };
  setInterval(send, intervalMs).unref();
}
