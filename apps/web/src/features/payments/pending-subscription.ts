import { PaidTierName } from '@tapedeck/payments/contract';
import * as z from 'zod';
import { storedText } from '../../ui/browser/stored-text.ts';

const PendingSubscription = z.object({
  paymentEmail: z.string(),
  subscriptionId: z.string(),
  tier: PaidTierName,
  sessionId: z.string(),
});
/** A purchase of this browser that no account has claimed. It is a hint: the server decides whose it is. */
export type PendingSubscription = z.infer<typeof PendingSubscription>;

const stored = storedText('tapedeck.pendingSubscription');

export const readPendingSubscription = (): PendingSubscription | null => {
  try {
    return PendingSubscription.parse(JSON.parse(stored.read() ?? 'null'));
  } catch {
    return null;
  }
};

export const writePendingSubscription = (pending: PendingSubscription | null): void =>
  stored.write(pending && JSON.stringify(pending));
