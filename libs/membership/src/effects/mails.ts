import { readable, stateAfter, type Effect, type EventStore, type RecordedEvent } from '@tapedeck/eventing';
import { accountStream, type AccountEvent } from '@tapedeck/identity/events';
import type { AccountId } from '@tapedeck/kernel';
import { checkoutStream, type CheckoutStarted } from '@tapedeck/payments/events';
import type { Mailer } from '@tapedeck/platform/mail';
import { membershipDecider } from '../domain/decide.ts';
import { lossText, type AccessLost } from '../domain/mail-texts.ts';
import type { MembershipEvent } from '../domain/membership-events.ts';
import type { Membership } from '../domain/membership.ts';

export type MembershipPorts = Readonly<{
  mailer: Pick<Mailer, 'send'>;
  store: Pick<EventStore, 'readStream'>;
  /** The origin at which browsers reach the product. */
  siteUrl: string;
}>;

/** The membership just before the event, so that a mail does not depend on when it is sent. */
const membershipBefore = async (
  { stream, version }: RecordedEvent,
  { store }: MembershipPorts,
): Promise<Membership> => {
  const earlier = (await store.readStream(stream)).filter((event) => event.version < version);
  // The stream contains no other events.
  return stateAfter(membershipDecider, earlier as unknown as readonly MembershipEvent[]);
};

/** The address that has paid; undefined once it is forgotten. */
const payerOf = async (
  { subscriptions }: Membership,
  subscriptionId: string,
  { store }: MembershipPorts,
): Promise<string | undefined> => {
  const known = subscriptions.find((subscription) => subscription.subscriptionId === subscriptionId);
  const [started] = known ? await store.readStream(checkoutStream(known.intentId)) : [];
  if (started?.type !== ('CheckoutStarted' satisfies CheckoutStarted['type'])) return undefined;
  return readable((started.data as CheckoutStarted['data']).email, undefined);
};

/** The address of an account; undefined once it is forgotten. */
const addressOf = async (account: AccountId, { store }: MembershipPorts): Promise<string | undefined> => {
  // The stream contains no other events.
  const events = (await store.readStream(accountStream(account))) as unknown as readonly AccountEvent[];
  const newest = events.findLast(({ type }) => type === 'AccountRegistered' || type === 'EmailChanged');
  return newest && 'email' in newest.data ? readable(newest.data.email, undefined) : undefined;
};

/** Tells a member by mail that access has ended, whoever has ended it: Stripe, a due date, or the clock. */
const accessLostEffect = (ports: MembershipPorts): Effect => ({
  name: 'membership-mails',
  afterReplay: 'skip',
  types: ['MembershipSuspended', 'MembershipEnded', 'ComplimentaryAccessEnded'],
  // What ended before this was made is not told.
  begins: 'next',
  run: async (recorded, { key }) => {
    // The runner gives an effect only events of its types.
    const event = recorded as unknown as RecordedEvent<AccessLost>;
    const before = await membershipBefore(recorded, ports);
    const text = lossText(event, before, ports.siteUrl);
    if (!text) return [];
    const to =
      event.type === 'ComplimentaryAccessEnded'
        ? await addressOf(event.data.accountId, ports)
        : await payerOf(before, event.data.subscriptionId, ports);
    if (to !== undefined) await ports.mailer.send({ id: key, to, ...text });
    return [];
  },
});

export const membershipEffects = (ports: MembershipPorts): readonly Effect[] => [accessLostEffect(ports)];
