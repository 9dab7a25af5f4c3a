import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Stops or starts the server of this test run; it keeps its port and its data. */
const services = async (action: 'start' | 'stop'): Promise<void> => {
  const folder = process.env['TEST_SERVICES_DATA_DIR'];
  if (!folder) throw new Error('Run these tests through `npm run test:services`.');
  const env = { ...process.env, DATA_DIR: folder };
  await run(process.execPath, ['scripts/services.mjs', action, 'elasticsearch'], { env });
};

export const stopServer = (): Promise<void> => services('stop');
export const startServer = (): Promise<void> => services('start');
