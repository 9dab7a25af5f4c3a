import type { RecordedEvent } from '@tapedeck/eventing';
import type { PendingEventView } from '@tapedeck/eventing/reactions';
import { DomainError } from '@tapedeck/kernel';
import type { Release } from '../domain/replay.ts';

/** What leaves the product by an effect. */
export type OutsideKind = 'stripe' | 'mail';

/** The effects that change something at Stripe or send mails. Others only read, or record what they have read. */
export const outsideEffects: Readonly<Record<string, OutsideKind>> = {
  'stripe-writes': 'stripe',
  'payments-of-closed-accounts': 'stripe',
  'customer-emails': 'stripe',
  'second-purchases': 'stripe',
  'payment-mails': 'mail',
  'membership-mails': 'mail',
  'membership-notices': 'mail',
};

/** A request to Stripe or a mail that is parked or held: it is sent only when a person chooses it. */
export type OutsideWork = Readonly<{ kind: OutsideKind; event: RecordedEvent; pending: PendingEventView }>;

/** The name of one in requests, and of what was chosen on the tape. */
export const keyOf = ({ reaction, position }: Pick<PendingEventView, 'reaction' | 'position'>): string =>
  `${reaction}/${position}`;

/** @throws DomainError RELEASE_UNKNOWN for a key that the dry run has not shown */
export const chosenOf = (work: readonly OutsideWork[], keys: readonly string[]): readonly Release[] => {
  const known = new Map(work.map(({ kind, pending }) => [keyOf(pending), { kind, pending }]));
  return [...new Set(keys)].map((key) => {
    const one = known.get(key);
    if (one)
      return { consumer: one.pending.reaction, position: String(one.pending.position), kind: one.kind };
    throw new DomainError(
      'unprocessable',
      'RELEASE_UNKNOWN',
      `The dry run shows no parked request or mail ${key}: look at the difference again.`,
    );
  });
};
