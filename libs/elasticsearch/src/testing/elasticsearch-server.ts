import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
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

/** SnapPoints that server; a later start keeps its port and its data. */
export const stopTestServer = (): Promise<void> => control('stop');
export const startTestServer = (): Promise<void> => control('start');

/** Deletes everything that the stopped server has stored. */
export const deleteTestServerData = async (): Promise<void> => {
  const location = join(fromEnvironment('TEST_SERVICES_DATA_DIR'), 'services', 'elasticsearch', 'place.json');
  const { folder } = JSON.parse(await readFile(location, 'utf8')) as { folder: string };
  await rm(join(folder, 'data'), { recursive: true });
};
