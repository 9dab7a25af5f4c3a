import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { paymentsSettings } from '@tapedeck/payments/settings';
import { freePort, raisedLimits } from '../product.ts';

export type Running = Readonly<{
  /** What the process has reported when it was ready. */
  port: number;
  processId: number;
  /** Sends a message to the process and returns what it answers. */
  ask: (message: object) => Promise<unknown>;
  stop: () => Promise<void>;
}>;

/** The ids of the plans' prices, at the stand-in for Stripe too. */
const prices = Object.fromEntries(
  Object.entries(paymentsSettings).flatMap(([name, setting]) =>
    'placeholder' in setting ? [[name, setting.placeholder]] : [],
  ),
);

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** Those of `npm start` on two cores. */
const nodeOptions = ['--enable-source-maps', '--max-semi-space-size=64', '--v8-pool-size=1'];
const profileFolder = process.env['BENCH_CPU_PROFILES'];
const profileOptions = profileFolder ? ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`] : [];

type Report = Readonly<{ type: 'ready' | 'failed'; port?: number; message?: string }>;

/** Starts a program and waits until it reports that it is ready. It ends with this process; `preload` is loaded before it. */
export const startProgram = (
  file: string,
  env: Readonly<Record<string, string>>,
  preload?: string,
): Promise<Running> =>
  new Promise((resolve, reject) => {
    const child = fork(join(root, file), [], {
      execArgv: [...nodeOptions, ...profileOptions, ...(preload ? ['--import', preload] : [])],
      env: { ...process.env, ...env },
    });
    const ended = new Promise<void>((end) => child.once('exit', () => end()));
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
    };
    const ask = async (message: object): Promise<unknown> => {
      const answered = once(child, 'message');
      child.send(message);
      return (await answered)[0];
    };
    child.once('message', (message) => {
      const { type, port = 0, message: reason } = message as Report;
      if (type === 'ready') resolve({ port, processId: child.pid ?? 0, ask, stop });
      else reject(new Error(`${file} did not start: ${reason}`));
    });
    child.once('exit', (code) => reject(new Error(`${file} ended with status ${code}.`)));
  });

export const webhookPath = '/api/stripe/webhook';
export const webhookSecret = 'whsec_bench';

export type Environment = Readonly<{ url: string; env: Readonly<Record<string, string>> }>;

/** What the processes of the product and the sandbox know, with the databases and the folder of this run. */
export const environmentOf = async (
  databases: Readonly<{ tapedeck: string; catalogue: string }>,
  folder: string,
  receiverUrl: string,
): Promise<Environment> => {
  const [port, sandboxPort, mailPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}`;
  const sandbox = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    ...raisedLimits,
    LOG_LEVEL: 'error',
    DATABASE_URL: databases.tapedeck,
    CATALOGUE_DATABASE_URL: databases.catalogue,
    DATA_DIR: folder,
    PERSONAL_DATA_KEY: randomBytes(32).toString('base64'),
    SESSION_SECRET: randomBytes(32).toString('hex'),
    ELASTICSEARCH_URL: '',
    OIDC_ISSUER: sandbox,
    OIDC_CLIENT_ID: 'tapedeck',
    OIDC_CLIENT_SECRET: randomBytes(32).toString('hex'),
    STRIPE_API_URL: sandbox,
    STRIPE_MAX_REQUESTS_PER_SECOND: '100000',
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    ...prices,
    STRIPE_INTRO_COUPON: 'pro_intro',
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    CLOCK_URL: `${sandbox}/clock`,
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_ORIGIN: url,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_MAIL_PORT: String(mailPort),
    SANDBOX_REDIRECT_ORIGINS: url,
    SANDBOX_WEBHOOK_URL: receiverUrl,
  };
  return { url, env };
};

export const programs = {
  sandbox: 'apps/sandbox/dist/main.js',
  api: 'apps/api/dist/main.js',
  projector: 'apps/projector/dist/main.js',
  peer: 'bench/dist/webhooks/peer.js',
} as const;
