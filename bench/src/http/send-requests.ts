import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Load, LoadResult } from './load.ts';

/** Sends the requests from a separate process, so that the work of this one does not delay them. */
export const sendRequests = (load: Load): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const generator = fork(fileURLToPath(new URL('./generator.js', import.meta.url)), { execArgv: [] });
    let result: LoadResult | undefined;
    generator.once('message', (message) => {
      result = message as LoadResult;
    });
    generator.once('exit', (code) => {
      if (result) resolve(result);
      else reject(new Error(`The process that sends the requests ended with code ${code}.`));
    });
    generator.send(load);
  });
