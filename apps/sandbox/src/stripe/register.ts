import { messageOf } from '@tapedeck/kernel';
import type { FastifyInstance } from 'fastify';
import type { SandboxClock } from '../clock-port.ts';
import { createCallFaults, createRequestLog } from './api/calls.ts';
import { registerApi } from './api/http.ts';
import { registerControl } from './control/routes.ts';
import { registerCheckoutPages } from './pages/checkout-routes.ts';
import { registerControlPage } from './pages/control-routes.ts';
import { registerInvoicePages } from './pages/invoice-routes.ts';
import { registerPortalPages } from './pages/portal-routes.ts';
import { registerPages } from './pages/forms.ts';
import { stripeStylesheet, stylesheetPath } from './pages/layout.ts';
import { openService } from './service.ts';
import { createDeliveries } from './webhooks/deliveries.ts';

export type StripeOptions = Readonly<{
  clock: SandboxClock;
  /** The folder of `stripe.journal`; undefined keeps everything in memory. */
  dataFolder: string | undefined;
  /** The origins of the product; pages redirect to these only. */
  origins: readonly string[];
  /** Where the product receives webhooks. */
  webhookUrl: string;
  /** The origin of the stand-in, for the addresses of its pages. */
  publicUrl: string;
  onError: (line: string) => void;
  /** Absent: every `sk_test_…` is accepted. */
  secretKey?: string | undefined;
  /** Absent: made once, kept in the data folder, and shown by the control API. */
  webhookSecret?: string | undefined;
  /** Days after the first failed payment on which it is tried again. */
  retryDays?: readonly number[] | undefined;
  /** What happens after the last attempt. */
  afterRetries?: 'cancel' | 'unpaid' | undefined;
  /** Makes all ids; absent: each data folder has its own. */
  seed?: string | undefined;
}>;

export type StripeStandIn = Readonly<{
  /** The newest first. */
  webhookSecrets: () => readonly string[];
  /** Resolves when every webhook that is due was sent. */
  delivered: () => Promise<void>;
  close: () => Promise<void>;
}>;

const minTimerMs = 100;
const maxTimerMs = 10_000;
const defaultRetryDays = [2, 5, 7, 14];

/**
 * Adds the stand-in for Stripe to a server: the API under `/v1`, its pages, and the control API.
 *
 * @example
 * const stripe = await registerStripe(app, { clock, dataFolder, origins, webhookUrl, publicUrl, onError });
 */
export const registerStripe = async (
  app: FastifyInstance,
  options: StripeOptions,
): Promise<StripeStandIn> => {
  const { clock, origins, onError } = options;
  const service = openService({
    now: clock.now,
    rules: {
      retryDays: options.retryDays ?? defaultRetryDays,
      afterRetries: options.afterRetries ?? 'cancel',
      publicUrl: options.publicUrl,
    },
    dataFolder: options.dataFolder,
    webhookUrl: options.webhookUrl,
    webhookSecret: options.webhookSecret,
    seed: options.seed,
  });
  const deliveries = createDeliveries(service, onError);
  const log = createRequestLog();
  const faults = createCallFaults();

  let timer: NodeJS.Timeout | undefined;
  const workThatIsDue = (): boolean => {
    try {
      service.runDueWork();
      deliveries.pump();
      return true;
    } catch (error) {
      onError(`Stripe: ${messageOf(error)}`);
      return false;
    }
  };
  const untilNextWork = (): number => {
    const upTo = service.nowSeconds() + maxTimerMs / 1_000;
    const due = service.nextDue(upTo) ?? deliveries.nextDue(upTo) ?? upTo;
    return Math.min(maxTimerMs, Math.max(minTimerMs, due * 1_000 - clock.now()));
  };
  const watchTime = (delayMs: number): void => {
    timer = setTimeout(() => watchTime(workThatIsDue() ? untilNextWork() : maxTimerMs), delayMs);
    timer.unref();
  };

  clock.addWork({
    nextDue: (upToMs) => {
      const upTo = Math.floor(upToMs / 1_000);
      const times = [service.nextDue(upTo), deliveries.nextDue(upTo)].filter((at) => at !== undefined);
      return times.length === 0 ? undefined : Math.min(...times) * 1_000;
    },
    runDue: async () => {
      service.runDueWork();
      await deliveries.idle();
    },
  });

  await registerApi(app, { service, log, faults, secretKey: options.secretKey, onError });
  const control = { service, deliveries, log, faults, clock };
  await registerControl(app, control);
  await registerPages(app, origins, (scope) => {
    scope.get(stylesheetPath, (_request, reply) =>
      reply
        .header('cache-control', 'public, max-age=3600')
        .type('text/css; charset=utf-8')
        .send(stripeStylesheet),
    );
    registerCheckoutPages(scope, { service, origins });
    registerPortalPages(scope, { service, origins });
    registerInvoicePages(scope, service);
    registerControlPage(scope, control);
  });

  watchTime(workThatIsDue() ? untilNextWork() : maxTimerMs);

  let closing: Promise<void> | undefined;
  const closeOnce = async (): Promise<void> => {
    clearTimeout(timer);
    await deliveries.close();
    service.close();
  };
  const close = (): Promise<void> => (closing ??= closeOnce());
  app.addHook('onClose', close);
  return {
    webhookSecrets: () => service.settings().secrets,
    delivered: deliveries.idle,
    close,
  };
};
