import { DomainError } from '@tapedeck/kernel';
import type { Pool } from 'pg';

type Ends = Readonly<{ last_event: string; last_position: string }>;

/**
 * Checks that new events get positions after all others. A logical restore may leave the sequence of positions behind:
 * appends would then fail, or be put before what readers have passed.
 *
 * @throws DomainError TAPE_SEQUENCE_BEHIND, which says what to do.
 */
export const assertTapeUsable = async (pool: Pool): Promise<void> => {
  // The sequence is read after the snapshot of the events was taken, so that appends that run do no harm.
  const { rows } = await pool.query<Ends>(
    `select coalesce((select max(position) from tape_events), 0) as last_event, last_position from tape_settling()`,
  );
  const [lastEvent, lastPosition] = [BigInt(rows[0]?.last_event ?? 0), BigInt(rows[0]?.last_position ?? 0)];
  if (lastPosition >= lastEvent) return;
  throw new DomainError(
    'unavailable',
    'TAPE_SEQUENCE_BEHIND',
    `The last event of the tape is at position ${lastEvent}, and its sequence at ${lastPosition}: it was not restored completely. Run: select setval('tape_position', ${lastEvent});`,
  );
};
