import {
  defineEffect,
  readable,
  readEvents,
  stateAfter,
  type Effect,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { accountStream, identityEvents } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import { checkoutEvents, checkoutStream } from '@tapedeck/payments/events';
import type { Mailer } from '@tapedeck/platform/mail';
import { membershipDecider } from '../domain/decide.ts';
import { lossText, type AccessLost } from '../domain/mail-texts.ts';
import { type Membership, type MembershipEvent, membershipEvents } from '../domain/membership.ts';

export type MembershipPorts = Readonly<{
  mailer: Pick<Mailer, 'send'>;
  store: Pick<EventStore, 'readStream'>;
  /** The origin at which browsers reach the product. */
  siteUrl: string;
}>;

type Before = Readonly<{ events: readonly RecordedEvent<MembershipEvent>[]; membership: Membership }>;

/** The membership just before the event, so that a mail does not depend on when it is sent. */
const readBefore = async (
  { stream, version }: RecordedEvent,
  { store }: MembershipPorts,
): Promise<Before> => {
  const all = await readEvents(store, stream, membershipEvents);
  const events = all.filter((event) => event.version < version);
  return { events, membership: stateAfter(membershipDecider, events) };
};

const bringsAccess: readonly MembershipEvent['type'][] = [
  'MembershipActivated',
  'MembershipRenewed',
  'MembershipReinstated',
];

/** When the access was over; null when only the event itself has ended it. */
const overAt = (event: AccessLost, { subscriptions }: Membership): string | null => {
  if (event.type === 'MembershipEnded') return event.data.endedAt;
  if (event.type === 'ComplimentaryAccessEnded' || event.data.cause === 'stripe') return null;
  const { subscriptionId } = event.data;
  return subscriptions.find((known) => known.subscriptionId === subscriptionId)?.graceUntil ?? null;
};

/** Whether the payment became known only after the period that it had paid for: that access was never used. */
const wasNeverThere = (event: AccessLost, { events, membership }: Before): boolean => {
  const over = overAt(event, membership);
  if (over === null || event.type === 'ComplimentaryAccessEnded') return false;
  const { subscriptionId } = event.data;
  const brought = events.findLast(
    ({ type, data }) =>
      bringsAccess.includes(type) && 'subscriptionId' in data && data.subscriptionId === subscriptionId,
  );
  return brought !== undefined && over <= brought.metadata.occurredAt;
};

/** The address that has paid; undefined once it is forgotten. */
const payerOf = async (
  { subscriptions }: Membership,
  subscriptionId: string,
  { store }: MembershipPorts,
): Promise<string | undefined> => {
  const known = subscriptions.find((subscription) => subscription.subscriptionId === subscriptionId);
  const [started] = known ? await readEvents(store, checkoutStream(known.intentId), checkoutEvents) : [];
  return started?.type === 'CheckoutStarted' ? readable(started.data.email, undefined) : undefined;
};

/** The address of an account; undefined once it is forgotten. */
const addressOf = async (account: AccountId, { store }: MembershipPorts): Promise<string | undefined> => {
  const events = await readEvents(store, accountStream(account), identityEvents);
  const newest = events.findLast(({ type }) => type === 'AccountRegistered' || type === 'EmailChanged');
  return newest && 'email' in newest.data ? readable(newest.data.email, undefined) : undefined;
};

/** Sends a mail when access has ended: by Stripe, by a due date, or by the clock. */
const accessLostEffect = (ports: MembershipPorts): Effect =>
  defineEffect<AccessLost>({
    name: 'membership-mails',
    afterReplay: 'skip',
    types: { MembershipSuspended: true, MembershipEnded: true, ComplimentaryAccessEnded: true },
    // No mail is sent about what ended before this was made.
    begins: 'next',
    run: async (event, { key }) => {
      const before = await readBefore(event, ports);
      const text = lossText(event, before.membership, ports.siteUrl);
      if (!text || wasNeverThere(event, before)) return [];
      const to =
        event.type === 'ComplimentaryAccessEnded'
          ? await addressOf(event.data.accountId, ports)
          : await payerOf(before.membership, event.data.subscriptionId, ports);
      if (to !== undefined) await ports.mailer.send({ id: key, to, ...text });
      return [];
    },
  });

export const membershipEffects = (ports: MembershipPorts): readonly Effect[] => [accessLostEffect(ports)];
