import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openProduct, type OpenProduct } from '@tapedeck/composition/process';
import { eventually, type DeathPoint } from '@tapedeck/eventing/testing';
import { taskConfig } from '@tapedeck/composition/config';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { systemClock } from '@tapedeck/kernel';
import { createLogger } from '@tapedeck/platform/log';
import { assertSettled } from './payments-product.ts';
import { startPaymentsSandbox, type PaymentsSandbox } from './payments-sandbox.ts';

export type ProcessName = 'api' | 'projector';

/** The API and the projector in processes of their own, as they are shipped, with the sandbox. */
export type RealProcesses = PaymentsSandbox &
  Readonly<{
    /** The databases and the tape, opened by the test. */
    product: OpenProduct;
    /** Resolves when the process knows the point; `died` when it has ended there. */
    dieAt: (name: ProcessName, point: DeathPoint) => Promise<Readonly<{ died: Promise<void> }>>;
    start: (name: ProcessName) => Promise<void>;
    processId: (name: ProcessName) => number;
    /** How many webhooks Stripe knows to be delivered. */
    countDelivered: () => Promise<number>;
    /** Waits until every webhook is delivered, and everything that is on the tape is handled. */
    settled: () => Promise<void>;
  }>;

/** What `npm run role` does. */
export const changeRole = async (
  { product: { store, databases } }: Pick<RealProcesses, 'product'>,
  args: readonly string[],
): Promise<void> => {
  const silent = { write: (): void => {} };
  const output = { output: silent, errors: silent };
  await runRoleCommand({ args, store, pool: databases.tapedeck, clock: systemClock, ...output });
};

type Delivery = Readonly<{ type: string; state: string }>;

/** Makes a process end by SIGKILL at a query. */
const preload = pathToFileURL(resolve('libs/eventing/dist/testing/die-at-query.js')).href;

const maxDieMs = 20_000;

const messageOf = async (child: ChildProcess, type: string): Promise<void> => {
  const failed = once(child, 'exit').then(([status, signal]) => {
    throw new Error(`The process ended with ${String(status ?? signal)} before the message ${type}.`);
  });
  const received = new Promise<void>((resolveReceived) => {
    const onMessage = (message: unknown): void => {
      if ((message as Readonly<{ type: string }>).type !== type) return;
      child.off('message', onMessage);
      resolveReceived();
    };
    child.on('message', onMessage);
  });
  failed.catch(() => {});
  await Promise.race([received, failed]);
};

const assertKilled = async (exited: Promise<unknown[]>): Promise<void> => {
  const [status, signal] = await exited;
  if (signal !== 'SIGKILL') throw new Error(`The process ended with ${String(status ?? signal)}.`);
};

const isDelivered = ({ state }: Delivery): boolean => state === 'delivered';

/** @throws Error while Stripe has a webhook to deliver */
const assertDelivered = (deliveries: readonly Delivery[]): void => {
  const missing = deliveries.filter((delivery) => !isDelivered(delivery));
  if (missing.length > 0) throw new Error(`Not delivered: ${missing.map(({ type }) => type).join(', ')}`);
};

export type RealProcessesOptions = Readonly<{
  /** Environment variables of one process. */
  envOf?: (name: ProcessName) => Readonly<Record<string, string>>;
}>;

export const startRealProcesses = async ({
  envOf = () => ({}),
}: RealProcessesOptions = {}): Promise<RealProcesses> => {
  const sandbox = await startPaymentsSandbox();
  const env = {
    ...process.env,
    ...sandbox.env,
    CLOCK_URL: `${sandbox.sandbox}/clock`,
    PROJECTION_LEASE_MS: '500',
    LOG_LEVEL: 'error',
  };
  const product = await openProduct(
    'test',
    taskConfig({ ...sandbox.env, ...envOf('projector') }),
    createLogger('test', 'silent'),
    { ownsReadModels: true },
  );
  const running = new Map<ProcessName, ChildProcess>();

  const runningAs = (name: ProcessName): ChildProcess => {
    const child = running.get(name);
    if (!child) throw new Error(`${name} does not run.`);
    return child;
  };
  const start = async (name: ProcessName): Promise<void> => {
    const child = spawn(process.execPath, ['--import', preload, `apps/${name}/dist/main.js`], {
      env: { ...env, ...envOf(name) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    running.set(name, child);
    await messageOf(child, 'ready');
  };
  const stop = async (child: ChildProcess): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    await exited;
  };

  const deliveries = async (): Promise<readonly Delivery[]> => {
    const answer = await fetch(`${sandbox.sandbox}/_control/stripe/deliveries`);
    return (await answer.json()) as readonly Delivery[];
  };

  await Promise.all([start('projector'), start('api')]);
  return {
    ...sandbox,
    product,
    start,
    processId: (name) => runningAs(name).pid ?? 0,
    dieAt: async (name, point) => {
      const child = runningAs(name);
      const exited = once(child, 'exit', { signal: AbortSignal.timeout(maxDieMs) });
      const armed = messageOf(child, 'armed');
      child.send({ dieAt: point });
      await armed;
      return { died: assertKilled(exited) };
    },
    countDelivered: async () => (await deliveries()).filter(isDelivered).length,
    settled: () =>
      eventually(async () => {
        assertDelivered(await deliveries());
        await assertSettled(product);
      }, 30_000),
    close: async () => {
      await Promise.all([...running.values()].map(stop));
      await product.close();
      await sandbox.close();
    },
  };
};
