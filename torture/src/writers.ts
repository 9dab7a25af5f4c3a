import { setTimeout } from 'node:timers/promises';
import { favouriteRoutes } from '@tapedeck/favourites/contract';
import { newId } from '@tapedeck/kernel';
import type { Random } from './random.ts';

/** A change that was answered as saved. Its marker is a tag, so it stands in exactly one event. */
export type Acknowledged = Readonly<{ writer: string; marker: string; position: bigint }>;

/** What all writers have done so far. */
export type WriterLog = { readonly acknowledged: Acknowledged[]; attempts: number; refusals: string[] };

export type WriterOptions = Readonly<{
  name: string;
  /** The cookie of its account, which several writers may share. */
  cookie: string;
  /** The API processes; an attempt goes to any of them. */
  origins: readonly string[];
  /** The strategies that this writer alone stars. */
  strategies: readonly string[];
  random: Random;
  log: WriterLog;
  /** Begins no further change. */
  finish: AbortSignal;
  /** Gives up the change that is under way, too. */
  abort: AbortSignal;
}>;

type Change = Readonly<{ method: string; path: string; body?: unknown }>;
type Outcome = 'saved' | 'unknown' | Readonly<{ refused: string }>;

const attemptTimeoutMs = 20_000;
const retryDelayMs = 50;

/**
 * The answers after which a person, too, would try the same again. 408: a process that was stopped for a while gives back
 * a request that it has read half of.
 */
const isUndecided = (status: number): boolean => status >= 500 || [408, 409, 429].includes(status);

/** Stars strategies and changes their tags until it has to finish. */
export const runWriter = async (options: WriterOptions): Promise<void> => {
  const { name, cookie, origins, strategies, random, log, finish, abort } = options;
  let lastPosition = 0n;

  const attempt = async (key: string, { method, path, body }: Change): Promise<Outcome> => {
    const origin = random.pick(origins);
    log.attempts++;
    try {
      const response = await fetch(new URL(path, origin), {
        method,
        headers: {
          cookie,
          origin,
          'idempotency-key': key,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.timeout(attemptTimeoutMs),
      });
      const text = await response.text();
      if (isUndecided(response.status)) return 'unknown';
      if (!response.ok) return { refused: `${method} ${path}: ${response.status} ${text}` };
      lastPosition = BigInt(response.headers.get('tape-position') ?? 0);
      return 'saved';
    } catch {
      return 'unknown';
    }
  };

  /** Repeats the change with the same key until it is known whether it was saved. */
  const send = async (change: Change): Promise<boolean> => {
    const key = newId();
    while (!abort.aborted) {
      const outcome = await attempt(key, change);
      if (outcome === 'saved') return true;
      if (outcome !== 'unknown') {
        log.refusals.push(outcome.refused);
        return false;
      }
      await setTimeout(retryDelayMs);
    }
    return false;
  };

  const starred = new Set<string>();
  for (let n = 1; !finish.aborted; n++) {
    const urlId = random.pick(strategies);
    const marker = `${name}-${n}`;
    if (starred.has(urlId) && random.uniform() < 0.1) {
      await send({ method: 'DELETE', path: favouriteRoutes.one(urlId) });
      starred.delete(urlId);
      continue;
    }
    const change: Change = starred.has(urlId)
      ? { method: 'PUT', path: favouriteRoutes.tags(urlId), body: { tags: [marker] } }
      : { method: 'POST', path: favouriteRoutes.list, body: { urlId, tags: [marker] } };
    if (await send(change)) {
      log.acknowledged.push({ writer: name, marker, position: lastPosition });
      starred.add(urlId);
    }
  }
};
