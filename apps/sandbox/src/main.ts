import { messageOf } from '@tapedeck/kernel';
import { sandboxOptions } from './environment.ts';
import { startSandbox } from './server.ts';

const logLine = (line: string): void => {
  process.stderr.write(`${new Date().toISOString()} sandbox: ${line}\n`);
};

const reportFailure = (error: unknown): void => {
  const message = messageOf(error);
  logLine(message);
  process.exitCode = 1;
  if (process.send) process.send({ type: 'failed', message }, () => process.exit(1));
};

try {
  const sandbox = await startSandbox(sandboxOptions(process.env, logLine));
  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    sandbox.close().then(
      () => process.exit(0),
      (error: unknown) => {
        logLine(messageOf(error));
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  // The launcher has ended: nothing else would stop this process.
  process.on('disconnect', stop);
  if (process.send) process.send({ type: 'ready', port: sandbox.port });
  else process.stdout.write(`${sandbox.issuer}\n`);
} catch (error) {
  reportFailure(error);
}
