import { releaseLease, renewLease, type Lease } from '../runner/checkpoint.ts';
import type { ConsumerId } from '../runner/consumer-id.ts';
import { RunEnded, type ReactionOptions } from './consumer.ts';

/** A lease as this process knows it. */
export type HeldLease = Readonly<{
  /** @throws RunEnded as soon as another process may have the lease */
  assertHeld: () => void;
  /** False when another process has the lease. */
  renew: () => Promise<boolean>;
  release: () => Promise<void>;
}>;

export const holdLease = (
  { pool, leaseMs }: Pick<ReactionOptions, 'pool' | 'leaseMs'>,
  consumerId: ConsumerId,
  { epoch, heldUntil: firstUntil }: Lease,
): HeldLease => {
  let heldUntil = firstUntil;
  return {
    assertHeld: () => {
      if (performance.now() >= heldUntil) throw new RunEnded('the lease has expired');
    },
    renew: async () => {
      const until = performance.now() + leaseMs;
      const isMine = (await renewLease(pool, consumerId, epoch, leaseMs)) !== undefined;
      heldUntil = isMine ? until : 0;
      return isMine;
    },
    release: async () => {
      heldUntil = 0;
      await releaseLease(pool, consumerId, epoch).catch(() => {});
    },
  };
};
