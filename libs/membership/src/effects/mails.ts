import {
  defineEffect,
  readEvents,
  stateAfter,
  type Dispatch,
  type Effect,
  type EffectContext,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { recordSentMail } from '@tapedeck/identity/commands';
import { accountStream, identityEvents, presentEmailIn } from '@tapedeck/identity/events';
import type { AccountId, MailContent } from '@tapedeck/kernel';
import type { Mailer } from '@tapedeck/platform/mail';
import { membershipDecider } from '../domain/decide.ts';
import { aheadText, lossText, type AccessAhead, type AccessLost } from '../domain/mail-texts.ts';
import { type Membership, type MembershipEvent, membershipEvents } from '../domain/membership.ts';

export type MembershipPorts = Readonly<{
  mailer: Pick<Mailer, 'send'>;
  store: Pick<EventStore, 'readStream'>;
  /** The origin at which browsers reach the product. */
  siteUrl: string;
}>;

type Recorded = RecordedEvent<MembershipEvent>;
type Before = Readonly<{ events: readonly Recorded[]; membership: Membership }>;

const readAll = ({ stream }: RecordedEvent, { store }: MembershipPorts): Promise<readonly Recorded[]> =>
  readEvents(store, stream, membershipEvents);

/** The membership just before the event, so that a mail does not depend on when it is sent. */
const before = ({ version }: RecordedEvent, all: readonly Recorded[]): Before => {
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

/** The present address of an account; undefined once it is forgotten. */
const addressOf = async (account: AccountId, { store }: MembershipPorts): Promise<string | undefined> =>
  presentEmailIn(await readEvents(store, accountStream(account), identityEvents));

/** Sends to the account where it is now, and records what was sent. */
const sendTo = async (
  account: AccountId,
  { key }: EffectContext,
  content: MailContent | undefined,
  ports: MembershipPorts,
): Promise<readonly Dispatch[]> => {
  const to = content && (await addressOf(account, ports));
  if (!content || to === undefined) return [];
  await ports.mailer.send({ id: key, to, ...content });
  return [recordSentMail(account, { id: key, to, content })];
};

/** When access has ended: by Stripe, by a due date, or by the clock. */
const accessLostEffect = (ports: MembershipPorts): Effect =>
  defineEffect<AccessLost>({
    name: 'membership-mails',
    afterReplay: 'skip',
    types: { MembershipSuspended: true, MembershipEnded: true, ComplimentaryAccessEnded: true },
    // No mail is sent about what ended before this was made.
    begins: 'next',
    run: async (event, context) => {
      const known = before(event, await readAll(event, ports));
      const text = lossText(event, known.membership, ports.siteUrl);
      return sendTo(event.data.accountId, context, wasNeverThere(event, known) ? undefined : text, ports);
    },
  });

/** When access will end, or will not end any more. */
const accessAheadEffect = (ports: MembershipPorts): Effect =>
  defineEffect<AccessAhead>({
    name: 'membership-notices',
    afterReplay: 'skip',
    types: { CancellationScheduled: true, CancellationWithdrawn: true, GraceReminderDue: true },
    begins: 'next',
    run: async (event, context) => {
      const membership = stateAfter(membershipDecider, await readAll(event, ports));
      const { now } = context;
      const text = aheadText(event, membership, { now, siteUrl: ports.siteUrl });
      return sendTo(event.data.accountId, context, text, ports);
    },
  });

export const membershipEffects = (ports: MembershipPorts): readonly Effect[] => [
  accessLostEffect(ports),
  accessAheadEffect(ports),
];
