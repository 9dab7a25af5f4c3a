import { createServer } from 'node:net';
import { DomainError } from '@tapedeck/kernel';
import { fastify, type FastifyInstance } from 'fastify';
import type { Provider } from 'oidc-provider';
import { openCatalogueScripts } from './charts/catalogue-scripts.ts';
import { registerChartRoutes } from './charts/chart-routes.ts';
import { openClock, registerClockRoutes } from './clock.ts';
import type { SandboxClock } from './clock-port.ts';
import type { SandboxOptions } from './environment.ts';
import { openMailbox } from './mailbox/mailbox.ts';
import { registerMailboxRoutes } from './mailbox/mailbox-routes.ts';
import { createProvider, type Accounts } from './openid/provider.ts';
import { registerSignInRoutes } from './openid/sign-in-routes.ts';
import { registerStripe, type StripeStandIn } from './stripe/register.ts';
import { signingKeys } from './openid/signing-keys.ts';

export type Sandbox = Readonly<{
  port: number;
  issuer: string;
  clock: SandboxClock;
  close: () => Promise<void>;
}>;

const host = '127.0.0.1';

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });

const policyFor = (redirectOrigins: readonly string[]): string =>
  [
    "default-src 'none'",
    "style-src 'self'",
    // The page of a mail in the mailbox.
    "frame-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    // Browsers apply it to every redirect after the form too.
    `form-action 'self' ${redirectOrigins.join(' ')}`,
  ].join('; ');

/** Passes all other requests to the provider, which reads the body itself. */
const passToProvider = async (app: FastifyInstance, provider: Provider): Promise<void> => {
  const callback = provider.callback();
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null));
    scope.all('/*', async (request, reply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      await callback(request.raw, reply.raw);
    });
  });
};

/** Undefined where the product uses Stripe itself. */
const standInForStripe = async (
  app: FastifyInstance,
  clock: SandboxClock,
  publicUrl: string,
  { dataFolder, redirectOrigins, onError, ...options }: SandboxOptions,
): Promise<StripeStandIn | undefined> => {
  const { webhookUrl, stripeSecretKey, stripeWebhookSecret } = options;
  if (webhookUrl === undefined) return undefined;
  return registerStripe(app, {
    clock,
    dataFolder,
    origins: redirectOrigins,
    webhookUrl,
    publicUrl,
    onError,
    secretKey: stripeSecretKey,
    webhookSecret: stripeWebhookSecret,
  });
};

const listenOn = async (port: number, options: SandboxOptions): Promise<Sandbox> => {
  const issuer = `http://${host}:${port}`;
  const accounts: Accounts = new Map();
  const keys = await signingKeys(options.dataFolder);
  const provider = createProvider(issuer, { ...options, port }, keys, accounts);
  const app = fastify({ forceCloseConnections: true, bodyLimit: 65_536 });
  const policy = policyFor(options.redirectOrigins);
  app.addHook('onRequest', (_request, reply, done) => {
    void reply.headers({
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    done();
  });
  app.addHook('onError', (request, _reply, error, done) => {
    if ((error.statusCode ?? 500) >= 500)
      options.onError(`${request.method} ${request.url}: ${error.message}`);
    done();
  });
  const clock = await openClock(options.dataFolder);
  const mailbox = await openMailbox({ port: options.mailPort, host, now: clock.now });
  const { catalogueUrl, onError } = options;
  const scripts = catalogueUrl === undefined ? undefined : openCatalogueScripts(catalogueUrl, onError);
  registerChartRoutes(app, options.findScript ?? scripts?.find);
  registerClockRoutes(app, clock);
  registerMailboxRoutes(app, mailbox);
  const stripe = await standInForStripe(app, clock, issuer, options);
  await registerSignInRoutes(app, provider, accounts);
  await passToProvider(app, provider);
  app.addHook('onClose', async () => {
    await stripe?.close();
    await mailbox.close();
    await scripts?.close();
  });
  try {
    await app.listen({ port, host });
  } catch (error) {
    await app.close();
    throw error;
  }
  return { port, issuer, clock, close: () => app.close() };
};

const portTaken = (port: number): DomainError =>
  new DomainError(
    'conflict',
    'PORT_TAKEN',
    `Port ${port} is taken by another program: choose another with SANDBOX_PORT, or 0 for a free one.`,
  );

const isPortTaken = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'EADDRINUSE';

/**
 * Starts the stand-ins for outside services on a loopback address: an OpenID provider, a charting site and others.
 * @throws DomainError PORT_TAKEN, SANDBOX_KEYS_DAMAGED
 */
export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const maxAttempts = options.port === 0 ? 5 : 1;
  for (let attempt = 1; ; attempt++) {
    // The issuer contains the port, so the port must be known before the server listens.
    const port = options.port || (await freePort());
    try {
      return await listenOn(port, options);
    } catch (error) {
      if (!isPortTaken(error)) throw error;
      if (attempt === maxAttempts) throw portTaken(port);
    }
  }
};
