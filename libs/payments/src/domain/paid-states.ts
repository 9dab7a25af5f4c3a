import type { SubscriptionEvent } from './subscription-events.ts';

export type PaidState = 'paid' | 'partly-refunded' | 'refunded' | 'disputed' | 'charged-back';

export type DisputeState = 'open' | 'lost' | 'over';

type Dispute = Readonly<{ chargeId: string; invoiceId: string | null; state: DisputeState }>;

const ranks = { over: 0, open: 1, lost: 2 } as const;

const disputesIn = (events: readonly SubscriptionEvent[]): readonly Dispute[] => {
  const disputes = new Map<string, Dispute>();
  const closed = new Map<string, DisputeState>();
  for (const { type, data } of events) {
    if (type === 'DisputeOpened') {
      const { disputeId, chargeId, invoiceId = null } = data;
      disputes.set(disputeId, { chargeId, invoiceId, state: 'open' });
    }
    // An appeal can change the outcome.
    if (type === 'DisputeClosed') closed.set(data.disputeId, data.outcome === 'lost' ? 'lost' : 'over');
  }
  return [...disputes].map(([id, dispute]) => ({ ...dispute, state: closed.get(id) ?? 'open' }));
};

/** What became of the disputes about the payments of a subscription, by invoice: of several the worst. */
export const disputeStates = (events: readonly SubscriptionEvent[]): ReadonlyMap<string, DisputeState> => {
  const invoices = events.flatMap(({ type, data }) =>
    type === 'PaymentRecorded' && data.chargeId !== null ? [[data.chargeId, data.invoiceId] as const] : [],
  );
  const invoiceOf = new Map(invoices);
  const worst = new Map<string, DisputeState>();
  for (const { chargeId, invoiceId, state } of disputesIn(events)) {
    const invoice = invoiceId ?? invoiceOf.get(chargeId);
    if (invoice === undefined) continue;
    const known = worst.get(invoice);
    if (known === undefined || ranks[state] > ranks[known]) worst.set(invoice, state);
  }
  return worst;
};

type Paid = Readonly<{ amount: number; refunded: number; dispute: DisputeState | undefined }>;

/** What became of a payment. Amounts are in minor units. */
export const paidStateOf = ({ amount, refunded, dispute }: Paid): PaidState => {
  if (dispute === 'lost') return 'charged-back';
  if (dispute === 'open') return 'disputed';
  if (refunded <= 0) return 'paid';
  return refunded >= amount ? 'refunded' : 'partly-refunded';
};
