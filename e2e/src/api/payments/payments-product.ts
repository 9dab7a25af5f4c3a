import { dueDates, effects, eventTypes, projections, reactions } from '@tapedeck/composition/modules';
import { openProduct, type OpenProduct } from '@tapedeck/composition/process';
import { createPersonalDataKeys } from '@tapedeck/eventing/postgres';
import { startProjector } from '@tapedeck/eventing/projections';
import { pendingEvents, startReactions, type RunningReactions } from '@tapedeck/eventing/reactions';
import { eventually } from '@tapedeck/eventing/testing';
import { paymentJobs, paymentPorts } from '@tapedeck/payments/reactions';
import { interruptedReplays } from '@tapedeck/replay/reactions';
import { stripeJobs } from '@tapedeck/stripe/jobs';
import { apiConfig, projectorConfig, type ApiConfig } from '@tapedeck/composition/config';
import { createLogger } from '@tapedeck/platform/log';
import { startSchedule } from '@tapedeck/platform/schedule';
import { Stripe } from 'stripe';
import { createApi } from '@tapedeck/api/create-api';
import { startPaymentsSandbox, webhookSecret, type PaymentsSandbox } from './payments-sandbox.ts';

export type PaymentsProduct = Omit<PaymentsSandbox, 'env'> &
  Readonly<{
    config: ApiConfig;
    product: OpenProduct;
    /** Waits until all webhooks that are due have arrived, and reactions and read models have handled everything. */
    settled: () => Promise<void>;
    /** Handles every event again from the first one on, by the reactions only: effects are not among them. */
    replayReactions: () => Promise<void>;
    /** Sends a webhook with a valid signature; returns the status. */
    sendWebhook: (event: Stripe.Event) => Promise<number>;
  }>;

const assertAll = <T>(rows: readonly T[], holds: (row: T) => boolean): void => {
  const missing = rows.filter((row) => !holds(row));
  if (missing.length > 0)
    throw new Error(
      `Not there yet: ${JSON.stringify(missing, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
    );
};

/** @throws Error while something on the tape is not handled yet */
export const assertSettled = async ({ databases: { tapedeck }, store }: OpenProduct): Promise<void> => {
  const head = await store.head();
  const { rows } = await tapedeck.query<{ projection: string; position: string }>(
    `select projection, position from projection_checkpoints where status = 'live' and kind <> 'due-dates'`,
  );
  assertAll(rows, ({ position }) => BigInt(position) >= head);
  assertAll(await pendingEvents(tapedeck), ({ state }) => state === 'parked' || state === 'waiting');
  assertAll([await store.head()], (now) => now === head);
};

/** The whole product in this process, with the sandbox's Stripe, clock and mailbox. */
export const startPaymentsProduct = async (
  settings: Readonly<Record<string, string>> = {},
  /** How often an effect is tried before it is parked. */
  attempts: Readonly<{ maxAttempts?: number }> = {},
): Promise<PaymentsProduct> => {
  const sandbox = await startPaymentsSandbox();
  const { url, clock } = sandbox;
  const env = { ...sandbox.env, ...settings };
  const config = apiConfig(env);
  const ofProjector = projectorConfig(env);
  const logger = createLogger('test', 'silent');
  const product = await openProduct('test', config, logger);
  const { store } = product;
  const stopped = new AbortController();
  const { signal } = stopped;
  const ports = { ...paymentPorts(ofProjector, clock), ...product, projections, logger };
  const projector = startProjector({ store, projections, databases: product.databases, logger, signal });
  const startRunning = (): RunningReactions =>
    startReactions({
      store,
      pool: product.databases.tapedeck,
      databases: product.databases,
      reactions: reactions(ofProjector),
      effects: effects(ports),
      dueDates,
      clock,
      logger,
      signal,
      dueIntervalMs: 50,
      ...attempts,
    });
  let running = startRunning();
  const keys = createPersonalDataKeys({
    pool: product.databases.tapedeck,
    masterKey: config.PERSONAL_DATA_KEY,
  });
  const jobs = startSchedule({
    pool: product.databases.tapedeck,
    jobs: [
      ...stripeJobs({ ...ports, clock, logger }),
      ...paymentJobs({ ...ports, clock, logger }),
      interruptedReplays({
        ...ports,
        clock,
        logger,
        keys,
        types: eventTypes,
        reactions: reactions(ofProjector),
      }),
    ],
    clock,
    logger,
    signal,
    pollIntervalMs: 50,
  });
  const api = await createApi({ config, ...product, clock, logger });
  await api.listen(config.PORT, '127.0.0.1');

  return {
    ...sandbox,
    config,
    product,
    settled: async () => {
      await sandbox.control('/deliveries/idle');
      await eventually(() => assertSettled(product), 60_000);
    },
    replayReactions: async () => {
      await running.stop();
      await product.databases.tapedeck.query(
        `update projection_checkpoints
            set position = 0, event_position = null, event_stream = null, event_version = null, event_id = null
          where kind = 'reaction'`,
      );
      running = startRunning();
      await eventually(() => assertSettled(product), 60_000);
    },
    sendWebhook: async (event) => {
      const payload = JSON.stringify(event);
      const answer = await fetch(`${url}/api/stripe/webhook`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'stripe-signature': Stripe.webhooks.generateTestHeaderString({
            payload,
            secret: webhookSecret,
            timestamp: Math.floor(clock.now() / 1_000),
          }),
        },
        body: payload,
      });
      await answer.arrayBuffer();
      return answer.status;
    },
    close: async () => {
      stopped.abort();
      await Promise.all([projector.stopped, running.stopped, jobs]);
      await api.close();
      await product.close();
      await sandbox.close();
    },
  };
};
