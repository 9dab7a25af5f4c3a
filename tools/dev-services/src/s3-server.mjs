// Runs the Versity S3 Gateway, an S3 server that keeps objects as files of a folder.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@tapedeck/dev-postgres';
import { buildGoProgram, startService } from './go-program.mjs';

const version = '1.8.0';

/** The keys of its one user. */
export const s3Keys = { accessKeyId: 'tapedeck-tests', secretAccessKey: 'a key of the tests' };

/** Starts it with an empty folder and waits until it answers. It ends with `stop`, and the folder with it. */
export const startS3Server = async () => {
  const program = await buildGoProgram('github.com/versity/versitygw/cmd/versitygw', version);
  const folder = await mkdtemp(join(tmpdir(), 'tapedeck-s3-'));
  const address = `127.0.0.1:${await freePort(undefined)}`;
  const url = `http://${address}`;
  const keys = ['--access', s3Keys.accessKeyId, '--secret', s3Keys.secretAccessKey];
  const answers = () =>
    fetch(url).then(
      // A request without a signature is refused.
      ({ status }) => status === 403,
      () => false,
    );
  const args = [...keys, '--port', address, '--region', 'us-east-1', 'posix', folder];
  const { stop } = await startService({ program, args, url, answers });
  return {
    url,
    stop: async () => {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
