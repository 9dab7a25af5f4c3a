import { projections } from '@tapedeck/composition/modules';
import { openProduct, type OpenProduct } from '@tapedeck/composition/process';
import { projectToEnd } from '@tapedeck/eventing/projections';
import { identityRoutes } from '@tapedeck/identity/contract';
import { runRoleCommand } from '@tapedeck/identity/roles';
import { systemClock } from '@tapedeck/kernel';
import { apiConfig, type ApiConfig, placeholders } from '@tapedeck/composition/config';
import type { Logger } from '@tapedeck/platform/log';
import { freePort, raisedLimits, temporaryFolder } from '@tapedeck/platform/testing';
import { createBrowser, startSandbox, type Browser } from '@tapedeck/sandbox/testing';
import { createApi } from '@tapedeck/api/create-api';

const client = { clientId: 'tapedeck', clientSecret: 's'.repeat(32) };

/** The whole API in this process, with the sandbox as its sign-in provider and as Stripe. */
export type WholeApi = Readonly<{
  url: string;
  product: OpenProduct;
  config: ApiConfig;
  signIn: (email: string) => Promise<Browser>;
  grant: (role: 'support' | 'admin', email: string) => Promise<void>;
  revoke: (role: 'support' | 'admin', email: string) => Promise<void>;
  /** Projects up to the end of the tape: no projector runs. */
  project: () => Promise<void>;
  close: () => Promise<void>;
}>;

export type WholeApiOptions = Readonly<{
  urls: Readonly<{ tapedeck: string; catalogue: string }>;
  logger: Logger;
  /** `open` by default. */
  entitlements?: ApiConfig['ENTITLEMENTS'];
}>;

export const startWholeApi = async ({
  urls,
  logger,
  entitlements = 'open',
}: WholeApiOptions): Promise<WholeApi> => {
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const folder = temporaryFolder();
  const sandbox = await startSandbox({
    port: 0,
    mailPort: 0,
    ...client,
    redirectOrigins: [url],
    webhookUrl: `${url}/api/stripe/webhook`,
    stripeSecretKey: placeholders['STRIPE_SECRET_KEY'] ?? '',
    stripeWebhookSecret: placeholders['STRIPE_WEBHOOK_SECRET'] ?? '',
    dataFolder: folder.path,
    onError: () => undefined,
  });
  const config = apiConfig({
    ...placeholders,
    DATABASE_URL: urls.tapedeck,
    CATALOGUE_DATABASE_URL: urls.catalogue,
    PERSONAL_DATA_KEY: Buffer.alloc(32, 7).toString('base64'),
    SESSION_SECRET: 'x'.repeat(32),
    STRIPE_API_URL: sandbox.issuer,
    STRIPE_MAX_REQUESTS_PER_SECOND: '100000',
    OIDC_ISSUER: sandbox.issuer,
    OIDC_CLIENT_ID: client.clientId,
    OIDC_CLIENT_SECRET: client.clientSecret,
    PORT: String(port),
    ENTITLEMENTS: entitlements,
    ...raisedLimits,
  });
  const product = await openProduct('test', config, logger);
  const { store, databases } = product;
  const project = (): Promise<void> => projectToEnd({ store, projections, databases });
  await project();
  const api = await createApi({ config, ...product, clock: systemClock, logger });
  await api.listen(port, '127.0.0.1');
  const write = (text: string): void => {
    if (text.startsWith('✗')) throw new Error(text);
  };
  const changeRole =
    (command: 'grant' | 'revoke'): WholeApi['grant'] =>
    async (role, email) => {
      const args = [command, role, email];
      const output = { output: { write }, errors: { write } };
      await runRoleCommand({ args, store, pool: databases.tapedeck, clock: systemClock, ...output });
    };
  return {
    url,
    product,
    config,
    project,
    signIn: async (email) => {
      const browser = createBrowser();
      await browser.visit(`${url}${identityRoutes.login}?login_hint=${encodeURIComponent(email)}`, {
        until: ({ pathname }) => pathname === '/',
      });
      const answer = await browser.request(`${url}${identityRoutes.user}`);
      if (answer.status !== 200) throw new Error(`Signing in as ${email} failed: ${await answer.text()}`);
      return browser;
    },
    grant: changeRole('grant'),
    revoke: changeRole('revoke'),
    close: async () => {
      await api.close();
      await product.close();
      await sandbox.close();
      folder.remove();
    },
  };
};
