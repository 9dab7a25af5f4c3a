import { get } from 'node:http';
import { DomainError, systemClock, type Clock } from '@tapedeck/kernel';
import * as z from 'zod';

const Line = z.object({ offsetMs: z.number() });

export type OpenClock = Clock & Readonly<{ close: () => void }>;

const reconnectMs = 500;
/** The clock writes a line more often than that. */
const silentMs = 15_000;
const firstLineMs = 10_000;

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const unreachable = (url: string, reason: string): DomainError =>
  new DomainError(
    'unavailable',
    'CLOCK_UNREACHABLE',
    `The clock at CLOCK_URL ${url} does not answer: ${reason}. Without this variable the product uses the system's time.`,
  );

/**
 * The clock of the product: system time, or with a URL the time of the clock there, which may be ahead. The last known
 * distance holds while that clock cannot be reached.
 * @throws DomainError CLOCK_UNREACHABLE when it does not answer at the start
 */
export const openClock = (url: string | undefined, timeoutMs = firstLineMs): Promise<OpenClock> => {
  if (url === undefined) return Promise.resolve({ ...systemClock, close: () => {} });
  const stopped = new AbortController();
  const { signal } = stopped;
  let offsetMs = 0;
  const clock = { now: () => systemClock.now() + offsetMs, close: () => stopped.abort() };
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stopped.abort();
      reject(unreachable(url, `nothing for ${timeoutMs / 1_000} s`));
    }, timeoutMs);
    const received = (text: string): void => {
      const line = Line.safeParse(jsonOf(text));
      if (!line.success) return;
      offsetMs = line.data.offsetMs;
      clearTimeout(timer);
      resolve(clock);
    };
    const connect = (): void => {
      const request = get(url, { signal, timeout: silentMs }, (answer) => {
        let rest = '';
        answer.setEncoding('utf8').on('data', (text: string) => {
          const lines = `${rest}${text}`.split('\n');
          rest = lines.pop() ?? '';
          lines.forEach(received);
        });
        answer.on('error', () => {});
      });
      request.once('timeout', () => request.destroy(new Error('nothing was received for a while')));
      request.once('error', () => {});
      request.once('close', () => {
        if (!signal.aborted) setTimeout(connect, reconnectMs).unref();
      });
    };
    connect();
  });
};
