import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, systemClock } from '@tapedeck/kernel';
import type { FastifyInstance, FastifyReply } from 'fastify';
import * as z from 'zod';
import type { SandboxClock, TimedWork } from './clock-port.ts';

const Stored = z.object({ offsetMs: z.number().int().min(0) });

const storedOffset = async (file: string): Promise<number> => {
  try {
    return Stored.parse(JSON.parse(await readFile(file, 'utf8'))).offsetMs;
  } catch {
    // Missing or damaged: the system's time.
    return 0;
  }
};

export type RunningClock = SandboxClock &
  Readonly<{
    offsetMs: () => number;
    /** Calls the listener at each change; returns a function that ends that. */
    onChange: (listener: (offsetMs: number) => void) => () => void;
  }>;

/** The clock of this data folder: it keeps its distance from the system's time over restarts. */
export const openClock = async (dataFolder: string): Promise<RunningClock> => {
  const file = join(dataFolder, 'clock.json');
  const works: TimedWork[] = [];
  const listeners = new Set<(offsetMs: number) => void>();
  let offsetMs = await storedOffset(file);
  let advancing: Promise<void> = Promise.resolve();
  const now = (): number => systemClock.now() + offsetMs;

  const moveTo = async (ms: number): Promise<void> => {
    // Work that was due before now, and is done late, does not turn the clock back.
    const next = Math.max(offsetMs, ms - systemClock.now());
    if (next === offsetMs) return;
    await writeFile(`${file}.next`, JSON.stringify({ offsetMs: next }));
    await rename(`${file}.next`, file);
    offsetMs = next;
    for (const listener of listeners) listener(offsetMs);
  };

  const nextDue = (upToMs: number): number | undefined => {
    const due = works.map((work) => work.nextDue(upToMs)).filter((ms) => ms !== undefined);
    return due.length === 0 ? undefined : Math.min(...due);
  };

  const passWork = async (targetMs: number): Promise<void> => {
    for (let due = nextDue(targetMs); due !== undefined; due = nextDue(targetMs)) {
      await moveTo(due);
      for (const work of works) if (work.nextDue(now()) !== undefined) await work.runDue();
    }
    await moveTo(targetMs);
  };

  return {
    now,
    offsetMs: () => offsetMs,
    advanceTo: (targetMs) => {
      const next = advancing.then(() => {
        if (targetMs >= now()) return passWork(targetMs);
        throw new DomainError(
          'invalid',
          'CLOCK_MOVES_FORWARD',
          `The clock shows ${new Date(now()).toISOString()} and only moves forward: give a later time.`,
        );
      });
      advancing = next.catch(() => undefined);
      return next;
    },
    addWork: (work) => void works.push(work),
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
};

const line = (offsetMs: number): string => `${JSON.stringify({ offsetMs })}\n`;

/** So that a program notices a connection that has silently ended. */
const heartbeatMs = 5_000;

/** `GET /clock`: lines of JSON, the first at once, then one for each change and every few seconds. */
export const registerClockRoutes = (app: FastifyInstance, clock: RunningClock): void => {
  app.get('/clock', (request, reply): FastifyReply => {
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' });
    const send = (): void => void raw.write(line(clock.offsetMs()));
    send();
    const stop = clock.onChange(send);
    const timer = setInterval(send, heartbeatMs);
    request.raw.once('close', () => {
      stop();
      clearInterval(timer);
    });
    return reply;
  });
};
