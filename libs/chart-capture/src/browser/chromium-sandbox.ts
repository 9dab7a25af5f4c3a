import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';

const setUidHelpers = ['/usr/lib/chromium/chrome-sandbox', '/opt/google/chrome/chrome-sandbox'];
const setUidBit = 0o4000;

const hasSetUidHelper = (): boolean =>
  setUidHelpers.some((path) => {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    return (mode & setUidBit) !== 0;
  });

/** Whether this process may create a user namespace, in which Chromium closes its pages in. */
const mayCreateNamespace = (): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn('unshare', ['--user', 'true'], { stdio: 'ignore' });
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });

/** Whether Chromium can use its own sandbox here: never as root, who has no user namespace to leave to. */
export const canUseSandbox = async (): Promise<boolean> => {
  if (process.getuid?.() === 0) return false;
  if (process.platform !== 'linux') return true;
  return (await mayCreateNamespace()) || hasSetUidHelper();
};

type User = Readonly<{ uid: number; gid: number }>;

/** Of the system's file of users. */
const idsOf = (names: readonly string[]): User | undefined => {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of names) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
};

/**
 * A process that root has started becomes an ordinary user, as which Chromium can use its sandbox. Everything that it
 * reads of its own code must be loaded before. Returns whether it is an ordinary user now.
 */
export const leaveRoot = (): boolean => {
  const { getuid, setuid, setgid, setgroups } = process;
  if (getuid?.() !== 0 || !setuid || !setgid || !setgroups) return getuid?.() !== 0;
  try {
    const user = idsOf(['tapedeck-capture', 'nobody']);
    if (!user || user.uid === 0) return false;
    setgroups.call(process, []);
    setgid.call(process, user.gid);
    setuid.call(process, user.uid);
    return true;
  } catch {
    return false;
  }
};
