import type { EventStore, Projection } from '@tapedeck/eventing';
import { projectionStatus } from '@tapedeck/eventing/projections';
import type { Pool } from 'pg';

export type Databases = Readonly<Record<'tapedeck' | 'catalogue', Pool>>;

const lookEvery = 25;

const isLive = async (store: EventStore, databases: Databases, projection: Projection): Promise<boolean> => {
  const all = await projectionStatus({ store, projections: [projection], databases });
  const own = all.find(({ version }) => version === projection.version);
  if (own && (own.parked > 0 || own.lastError !== null)) {
    throw new Error(`The projector is in trouble: ${own.lastError ?? `${own.parked} parked events`}.`);
  }
  return own?.status === 'live' && own.lagEvents === 0;
};

/**
 * Waits until a running projector has this read model live at the end of the tape.
 * @throws Error when it has parked an event or failed.
 */
export const untilLive = async (
  store: EventStore,
  databases: Databases,
  projection: Projection,
): Promise<void> => {
  // A projector tells nobody when it is there: its status has to be asked for.
  while (!(await isLive(store, databases, projection)))
    await new Promise((resolve) => setTimeout(resolve, lookEvery));
};
