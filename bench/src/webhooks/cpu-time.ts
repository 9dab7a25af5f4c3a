import { readdir, readFile } from 'node:fs/promises';
import type { Pool } from 'pg';

/** Milliseconds of CPU by participant. */
export type CpuTimes = Readonly<Record<string, number>>;

type ProcessTimes = Readonly<{ name: string; parentId: number; ownMs: number; endedChildrenMs: number }>;

/** Linux counts in hundredths of a second. */
const tickMs = 10;

/** Undefined for a process that has ended, and where there is no /proc. */
const timesOf = async (processId: number | string): Promise<ProcessTimes | undefined> => {
  const text = await readFile(`/proc/${processId}/stat`, 'utf8').catch(() => undefined);
  const [, name, rest] = /\((.*)\) (.*)/s.exec(text ?? '') ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const fields = rest.split(' ').map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15);
  return {
    name,
    parentId: fields[1] ?? 0,
    ownMs: (user + system) * tickMs,
    endedChildrenMs: (childrenUser + childrenSystem) * tickMs,
  };
};

/** The server with the processes of all of its connections, those that are closed too. */
const serverMs = async (pool: Pool): Promise<number> => {
  const { rows } = await pool.query<{ id: number }>('select pg_backend_pid() as id');
  const { parentId = 0 } = (await timesOf(rows[0]?.id ?? 0)) ?? {};
  const processIds = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(processIds.map(timesOf));
  const server = await timesOf(parentId);
  const children = all.filter((one) => one?.parentId === parentId);
  return children.reduce(
    (sum, one) => sum + (one?.ownMs ?? 0),
    (server?.ownMs ?? 0) + (server?.endedChildrenMs ?? 0),
  );
};

const readCpuTimes = async (processIds: Readonly<Record<string, number>>, pool: Pool): Promise<CpuTimes> => {
  const times: Record<string, number> = { PostgreSQL: await serverMs(pool) };
  for (const [name, processId] of Object.entries(processIds))
    times[name] = (await timesOf(processId))?.ownMs ?? 0;
  return times;
};

/** Does the work, and returns what it cost each of the processes, and PostgreSQL. */
export const withCpuTimes = async <Result>(
  processIds: Readonly<Record<string, number>>,
  pool: Pool,
  work: () => Promise<Result>,
): Promise<Readonly<{ result: Result; cpu: CpuTimes }>> => {
  const before = await readCpuTimes(processIds, pool);
  const result = await work();
  const after = await readCpuTimes(processIds, pool);
  const cpu = Object.entries(after).map(([name, ms]) => [name, ms - (before[name] ?? 0)] as const);
  return { result, cpu: Object.fromEntries(cpu) };
};

export const sumOfCpuTimes = (times: readonly CpuTimes[]): CpuTimes => {
  const sum: Record<string, number> = {};
  for (const one of times) for (const [name, ms] of Object.entries(one)) sum[name] = (sum[name] ?? 0) + ms;
  return sum;
};
