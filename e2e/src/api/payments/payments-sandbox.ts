import { placeholders } from '@tapedeck/composition/config';
import { Agent } from 'node:http';
import { identityRoutes } from '@tapedeck/identity/contract';
import type { Clock } from '@tapedeck/kernel';
import {
  freePort,
  raisedLimits,
  temporaryFolder,
  testDatabases,
  type TestDatabases,
} from '@tapedeck/platform/testing';
import { createBrowser, startSandbox, type Browser } from '@tapedeck/sandbox/testing';
import { Stripe } from 'stripe';

export const webhookSecret = 'whsec_payments';
const client = { clientId: 'tapedeck', clientSecret: 's'.repeat(32) };
const secretKey = 'sk_test_payments';

/** Empty databases and the stand-ins, for a product that listens at `url`. */
export type PaymentsSandbox = Readonly<{
  url: string;
  /** The environment variables of the product. */
  env: Readonly<Record<string, string>>;
  databases: TestDatabases;
  clock: Clock;
  stripe: Stripe;
  /** The origin of the sandbox. */
  sandbox: string;
  signIn: (email: string) => Promise<Browser>;
  /** Of the stand-in for Stripe: `/clock`, `/deliveries/hold`, … */
  control: (path: string, body?: object) => Promise<unknown>;
  close: () => Promise<void>;
}>;

const clientOf = (issuer: string): Stripe => {
  const { hostname, port } = new URL(issuer);
  return new Stripe(secretKey, {
    host: hostname,
    port,
    protocol: 'http',
    telemetry: false,
    httpAgent: new Agent({ keepAlive: true }),
  });
};

export const startPaymentsSandbox = async (): Promise<PaymentsSandbox> => {
  const databases = await testDatabases();
  const port = await freePort();
  const mailPort = await freePort();
  const url = `http://localhost:${port}`;
  const folder = temporaryFolder();
  const sandbox = await startSandbox({
    port: 0,
    mailPort,
    ...client,
    redirectOrigins: [url],
    dataFolder: folder.path,
    webhookUrl: `http://127.0.0.1:${port}/api/stripe/webhook`,
    stripeSecretKey: secretKey,
    stripeWebhookSecret: webhookSecret,
    onError: () => undefined,
  });
  const env = {
    ...placeholders,
    DATABASE_URL: databases.urls.tapedeck,
    CATALOGUE_DATABASE_URL: databases.urls.catalogue,
    PERSONAL_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    SESSION_SECRET: 'x'.repeat(32),
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    STRIPE_API_URL: sandbox.issuer,
    STRIPE_MAX_REQUESTS_PER_SECOND: '100000',
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
    PORT: String(port),
    PUBLIC_ORIGIN: url,
    ...raisedLimits,
  };

  return {
    url,
    env,
    databases,
    clock: sandbox.clock,
    stripe: clientOf(sandbox.issuer),
    sandbox: sandbox.issuer,
    signIn: async (email) => {
      const browser = createBrowser();
      await browser.visit(`${url}${identityRoutes.login}?login_hint=${encodeURIComponent(email)}`, {
        until: ({ pathname }) => pathname === '/',
      });
      return browser;
    },
    control: async (path, body = {}) => {
      const answer = await fetch(`${sandbox.issuer}/_control/stripe${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return answer.json();
    },
    close: async () => {
      await sandbox.close();
      folder.remove();
      await databases.drop();
    },
  };
};
