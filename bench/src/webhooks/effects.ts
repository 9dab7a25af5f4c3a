import { pendingEvents } from '@tapedeck/eventing/reactions';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';

const pollIntervalMs = 100;
const maxWaitMs = 1_200_000;

const headOf = async (pool: Pool): Promise<string> => {
  const { rows } = await pool.query<{ head: string }>(
    'select coalesce(max(position), 0) as head from tape_events',
  );
  return rows[0]?.head ?? '0';
};

const consumersBehind = async (pool: Pool, head: string): Promise<number> => {
  const { rows } = await pool.query<{ behind: string }>(
    `select count(*) as behind from projection_checkpoints
      where kind <> 'due-dates' and (status <> 'live' or position < $1)`,
    [head],
  );
  return Number(rows[0]?.behind);
};

/** @throws Error when an event is parked */
const hasPendingEvents = async (pool: Pool, reaction?: string): Promise<boolean> => {
  const filter = reaction === undefined ? {} : { reaction };
  const [parked] = await pendingEvents(pool, { ...filter, states: ['parked'], limit: 1 });
  if (parked) throw new Error(`${parked.reaction} has parked an event: ${parked.error}`);
  return (await pendingEvents(pool, { ...filter, limit: 1 })).length > 0;
};

const until = async (holds: () => Promise<boolean>, what: string): Promise<void> => {
  const deadline = performance.now() + maxWaitMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`${what} took longer than ${maxWaitMs / 60_000} min.`);
    await setTimeout(pollIntervalMs);
  }
};

/** Waits until a projector has made these read models: before that there is nothing that could be behind. */
export const untilMade = (pool: Pool, readModels: readonly string[]): Promise<void> =>
  until(async () => {
    const { rows } = await pool.query<{ missing: string }>(
      'select count(*) as missing from unnest($1::text[]) name where to_regclass(name) is null',
      [readModels],
    );
    return Number(rows[0]?.missing) === 0;
  }, 'Making the read models');

/** Waits until an effect has handled all that is on the tape now. */
export const untilHandledBy = async (pool: Pool, effect: string): Promise<void> => {
  const head = await headOf(pool);
  await until(async () => {
    const { rows } = await pool.query(
      'select from projection_checkpoints where projection = $1 and position >= $2',
      [effect, head],
    );
    return rows.length > 0 && !(await hasPendingEvents(pool, effect));
  }, effect);
};

/** Waits until reactions, effects and read models have handled the whole tape, and none of them adds to it. */
export const untilAtEnd = (pool: Pool): Promise<void> =>
  until(async () => {
    const head = await headOf(pool);
    const isBehind = (await consumersBehind(pool, head)) > 0 || (await hasPendingEvents(pool));
    return !isBehind && (await headOf(pool)) === head;
  }, 'Handling the tape');
