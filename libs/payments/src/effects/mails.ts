import {
  defineEffect,
  isForgotten,
  readEvents,
  stateAfter,
  type Dispatch,
  type Effect,
  type EffectContext,
  type EventStore,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { recordSentMail, type SentMail } from '@tapedeck/identity/commands';
import type { AccountId, MailContent } from '@tapedeck/kernel';
import type { Mailer } from '@tapedeck/platform/mail';
import type { ClaimCodeRequested } from '../domain/claim.ts';
import { subscriptionDecider } from '../domain/decide-subscription.ts';
import { letterFor, type Announced } from '../domain/letters.ts';
import { claimCodeText } from '../domain/mail-texts.ts';
import { subscriptionEvents } from '../domain/subscription-events.ts';
import { addressOf, recipientOf } from './mail-recipients.ts';

export type MailPorts = Readonly<{
  mailer: Pick<Mailer, 'send'>;
  store: Pick<EventStore, 'readStream'>;
  /** The origin at which browsers reach the product. */
  siteUrl: string;
}>;

/** `accountId`: whose list of mails shows it; null for a purchase without an owner. */
type Addressed = Readonly<{ to: string; content: MailContent; accountId: AccountId | null }>;

const mailAbout = async (
  event: RecordedEvent<Announced>,
  { now: at }: EffectContext,
  ports: MailPorts,
): Promise<Addressed | undefined> => {
  const events = await readEvents(ports.store, event.stream, subscriptionEvents);
  const earlier = events.filter(({ version }) => version < event.version);
  const history = {
    events,
    now: stateAfter(subscriptionDecider, events),
    before: stateAfter(subscriptionDecider, earlier),
    at,
  };
  const letter = letterFor(event, history, ports.siteUrl);
  const to = letter && (await recipientOf(letter.address, ports));
  if (!letter || to === undefined) return undefined;
  return { to, content: letter.content, accountId: letter.address.accountId };
};

const codeMail = (
  { data: { accountId, email, code, expiresAt } }: RecordedEvent<ClaimCodeRequested>,
  { now }: EffectContext,
): Addressed | undefined =>
  expiresAt <= now || isForgotten(email) || isForgotten(code)
    ? undefined
    : { to: email, content: claimCodeText(code), accountId };

/** Nothing personal is recorded of an account that was deleted meanwhile. */
const recordsOf = async (
  accountId: AccountId | null,
  sent: SentMail,
  ports: MailPorts,
): Promise<readonly Dispatch[]> => {
  const isKnown = accountId !== null && (await addressOf(accountId, ports)) !== undefined;
  return isKnown ? [recordSentMail(accountId, sent)] : [];
};

/** Sends mails to buyers. Their addresses are read from the tape: no read model contains them. */
export const paymentMailsEffect = (ports: MailPorts): Effect =>
  defineEffect<ClaimCodeRequested | Announced>({
    name: 'payment-mails',
    afterReplay: 'skip',
    types: {
      ClaimCodeRequested: true,
      PurchaseUnclaimed: true,
      ClaimReminderDue: true,
      PaymentRecorded: true,
      PaymentFailed: true,
      RefundRecorded: true,
      RenewalNoticeDue: true,
      CardNoticeDue: true,
      PaymentTransferred: true,
      PurchaseReturnBegun: true,
      PriceNoticeGiven: true,
      PriceNoticeWithdrawn: true,
    },
    run: async (event, context) => {
      const mail =
        event.type === 'ClaimCodeRequested'
          ? codeMail(event, context)
          : await mailAbout(event, context, ports);
      if (!mail) return [];
      const { to, content, accountId } = mail;
      await ports.mailer.send({ id: context.key, to, ...content });
      return recordsOf(accountId, { id: context.key, to, content }, ports);
    },
  });
