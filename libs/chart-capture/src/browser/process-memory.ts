import { readdir, readFile } from 'node:fs/promises';

const pageBytes = 4_096;

type Process = Readonly<{ pid: number; parent: number; bytes: number }>;

/** `comm` is in parentheses and may contain anything. */
const parentOf = (stat: string): number =>
  Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ', 2)[1] ?? 0);

/** What a process has in memory that it shares with no other. */
const ownBytesOf = (statm: string): number => {
  const [, resident = 0, shared = 0] = statm.split(' ').map(Number);
  return (resident - shared) * pageBytes;
};

const readProcess = async (pid: number): Promise<Process | undefined> => {
  try {
    const [stat, statm] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/statm`, 'utf8'),
    ]);
    return { pid, parent: parentOf(stat), bytes: ownBytesOf(statm) };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
};

/** The memory of a process and all that it has started, in bytes; 0 where the system does not tell. */
export const memoryOfTree = async (root: number): Promise<number> => {
  const names = await readdir('/proc').catch(() => []);
  const all = await Promise.all(
    names.filter((name) => /^\d+$/.test(name)).map((name) => readProcess(Number(name))),
  );
  const processes = all.filter((one) => one !== undefined);
  const inTree = new Set([root]);
  // A child may stand before its parent: until nothing is added.
  for (let size = 0; size !== inTree.size;) {
    size = inTree.size;
    for (const { pid, parent } of processes) if (inTree.has(parent)) inTree.add(pid);
  }
  return processes.reduce((sum, { pid, bytes }) => (inTree.has(pid) ? sum + bytes : sum), 0);
};
