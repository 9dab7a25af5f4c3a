import type { EventStore, Projection } from '@tapedeck/eventing';
import { projectionStatus } from '@tapedeck/eventing/projections';
import { setTimeout } from 'node:timers/promises';
import type { Pool } from 'pg';

export type Databases = Readonly<Record<'tapedeck' | 'catalogue', Pool>>;

const pollIntervalMs = 25;

const isLive = async (store: EventStore, databases: Databases, projection: Projection): Promise<boolean> => {
  const all = await projectionStatus({ store, projections: [projection], databases });
  const own = all.find(({ version }) => version === projection.version);
  if (own && (own.parked > 0 || own.lastError !== null)) {
    throw new Error(`The projector failed: ${own.lastError ?? `${own.parked} parked events`}.`);
  }
  return own?.status === 'live' && own.lagEvents === 0;
};

/**
 * Waits until a running projector has brought the read model to the end of the tape and made it live.
 * @throws Error when the projector has parked an event or failed.
 */
export const waitUntilLive = async (
  store: EventStore,
  databases: Databases,
  projection: Projection,
): Promise<void> => {
  while (!(await isLive(store, databases, projection))) await setTimeout(pollIntervalMs);
};
