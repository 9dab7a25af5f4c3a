import type { Position } from '../event.ts';
import { inTransaction } from '../runner/transaction.ts';
import { consumerIdOf, type ReactionOptions, type Consumer } from './consumer.ts';

export type CheckpointKind = Consumer['kind'] | 'due-dates';

const registerSql = `
  insert into projection_checkpoints (projection, version, status, tables_hash, kind, indexed, position,
    event_position, event_stream, event_version, event_id)
  values ($1, $2, 'live', '', $3, true, $4, $5, $6, $7, $8)
  on conflict (projection, version) do nothing`;

type Start = Readonly<{ position: Position; values: readonly unknown[] }>;

const startAfter = async ({ store }: ReactionOptions, position: Position): Promise<Start> => {
  const event = position === 0n ? undefined : await store.readEvent(position);
  const values = event
    ? [String(event.position), event.stream, event.version, event.id]
    : [null, null, null, null];
  return { position, values };
};

/** Creates the checkpoint of a new one; pending events of an earlier one with its name are removed. */
export const registerCheckpoint = async (
  options: ReactionOptions,
  name: string,
  kind: CheckpointKind,
  begins: 'first' | 'next',
): Promise<void> => {
  const { version } = consumerIdOf(name);
  const start = await startAfter(options, begins === 'next' ? await options.store.head() : 0n);
  await inTransaction(options.pool, async (client) => {
    const values = [name, version, kind, String(start.position), ...start.values];
    const { rowCount } = await client.query(registerSql, values);
    if (rowCount === 1) {
      await client.query('delete from reaction_pending_events where reaction = $1', [name]);
      return;
    }
    const { rows } = await client.query<{ kind: string }>(
      'select kind from projection_checkpoints where projection = $1 and version = $2',
      [name, version],
    );
    const stored = rows[0]?.kind;
    if (stored !== kind) throw new Error(`There is a ${stored} with the name ${name}: rename the ${kind}.`);
  });
};
