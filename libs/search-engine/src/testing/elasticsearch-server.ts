import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

const fromEnvironment = (name: string): string => {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set: run these tests through \`npm run test:services\`.`);
};

/** Address of the server that `npm run test:services` has started. */
export const testServerUrl = (): string => fromEnvironment('TEST_ELASTICSEARCH_URL');

const control = async (action: 'start' | 'stop'): Promise<void> => {
  const env = { ...process.env, DATA_DIR: fromEnvironment('TEST_SERVICES_DATA_DIR') };
  await run(process.execPath, ['scripts/services.mjs', action, 'elasticsearch'], { env });
};

/** Stops that server; a later start keeps its port and its data. */
export const stopTestServer = (): Promise<void> => control('stop');
export const startTestServer = (): Promise<void> => control('start');
