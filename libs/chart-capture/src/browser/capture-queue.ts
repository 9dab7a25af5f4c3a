import type { CaptureAnswer } from '../capturer/wire.ts';
import { captureQueue, captures, captureSeconds } from './metrics.ts';

export type QueueLimits = Readonly<{
  atOnce: number;
  maxWaiting: number;
  /** What has waited so long is answered as busy. */
  maxWaitMs: number;
}>;

export type CaptureQueue = Readonly<{ capture: (urlId: string) => Promise<CaptureAnswer> }>;

type Waiting = Readonly<{ begin: () => void }>;

/** Roughly how long a further capture would wait. */
const retryAfterSeconds = 10;
const busy: CaptureAnswer = { outcome: 'busy', retryAfterSeconds };

/** Captures a few charts at once and each only once, however many ask for it; others wait, and too many are refused. */
export const createCaptureQueue = (
  limits: QueueLimits,
  run: (urlId: string) => Promise<CaptureAnswer>,
): CaptureQueue => {
  const flights = new Map<string, Promise<CaptureAnswer>>();
  const waiting = new Set<Waiting>();
  let running = 0;

  const measure = (): void => {
    captureQueue.set({ state: 'waiting' }, waiting.size);
    captureQueue.set({ state: 'running' }, running);
  };

  /** Resolves to whether it may begin. */
  const place = (): Promise<boolean> => {
    if (running < limits.atOnce) {
      running++;
      return Promise.resolve(true);
    }
    if (waiting.size >= limits.maxWaiting) return Promise.resolve(false);
    return new Promise((resolve) => {
      const one: Waiting = {
        begin: () => {
          clearTimeout(timer);
          waiting.delete(one);
          resolve(true);
        },
      };
      const timer = setTimeout(() => {
        waiting.delete(one);
        resolve(false);
      }, limits.maxWaitMs);
      waiting.add(one);
    });
  };

  /** The first one that waits takes the place. */
  const leave = (): void => {
    const [next] = waiting;
    if (next) next.begin();
    else running--;
  };

  const inTurn = async (urlId: string): Promise<CaptureAnswer> => {
    const mayBegin = place();
    measure();
    if (!(await mayBegin)) return busy;
    measure();
    const endTimer = captureSeconds.startTimer();
    try {
      return await run(urlId);
    } finally {
      endTimer();
      leave();
      measure();
    }
  };

  return {
    capture: (urlId) => {
      const known = flights.get(urlId);
      if (known) return known;
      const flight = inTurn(urlId)
        .then((answer) => {
          captures.inc({ outcome: answer.outcome === 'failed' ? answer.failure : answer.outcome });
          return answer;
        })
        .finally(() => flights.delete(urlId));
      flights.set(urlId, flight);
      return flight;
    },
  };
};
