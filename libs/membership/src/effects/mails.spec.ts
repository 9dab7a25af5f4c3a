import { describe, expect, it } from '@jest/globals';
import { commandContext, handle, type EventStore } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { fixedClock, newId } from '@tapedeck/kernel';
import { checkoutDecider, startCheckoutOf } from '@tapedeck/payments/testing';
import { checkoutStream, paymentEvents } from '@tapedeck/payments/events';
import type { Mail } from '@tapedeck/platform/mail';
import { membershipDecider, type MembershipCommand } from '../domain/decide.ts';
import { membershipEvents, membershipStream } from '../domain/membership.ts';
import { ann, day, follow } from '../testing/entitlements.ts';
import { membershipEffects } from './mails.ts';

const system = { id: 'system', kind: 'system' } as const;
const neverAborted = new AbortController().signal;

const storeAfter = async (commands: readonly MembershipCommand[]): Promise<EventStore> => {
  const store = createMemoryEventStore({ types: { ...membershipEvents, ...paymentEvents } });
  const contextAt = (now: string) => commandContext({ actor: system, clock: fixedClock(Date.parse(now)) });
  const checkout = startCheckoutOf(ann, 'intent-1', 'pays@example.com');
  await handle(store, checkoutDecider, paymentEvents)(
    checkoutStream('intent-1'),
    checkout,
    contextAt(day('01-01')),
  );
  const send = handle(store, membershipDecider, membershipEvents);
  for (const command of commands) {
    const now = 'now' in command ? command.now : day('01-01');
    await send(membershipStream(ann), command, contextAt(now));
  }
  return store;
};

/** The subjects of the mails that the last event causes. */
const mailsAfter = async (...commands: readonly MembershipCommand[]): Promise<readonly string[]> => {
  const store = await storeAfter(commands);
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail): Promise<void> => void sent.push(mail) };
  const [effect] = membershipEffects({ mailer, store, siteUrl: 'https://tapedeck.example' });
  const event = (await store.readStream(membershipStream(ann))).at(-1);
  if (!effect || !event) throw new Error('There is no event.');
  expect(effect.types).toContain(event.type);
  const read = (): never => {
    throw new Error('The effect reads no other stream.');
  };
  await effect.run(event, { read, key: newId(), now: event.recordedAt, attempt: 1, signal: neverAborted });
  return sent.map(({ subject }) => subject);
};

const due = { accountId: ann, subscriptionId: 'sub_1' } as const;
const endsWith = { endsAt: day('02-01') } as const;

describe('the mail that says that access has ended', () => {
  it.each([
    ['in time', day('01-01'), ['Your access has ended']],
    ['during the grace', day('02-10'), ['Your access has ended']],
    ['when the grace was over', day('03-20'), []],
  ])(
    'is sent only about access that was in effect: its payment became known %s',
    async (_when, known, subjects) => {
      const later = day('03-21');
      const sent = await mailsAfter(
        follow({}, known),
        { type: 'CheckRenewal', ...due, now: later },
        { type: 'EndGrace', ...due, now: later },
      );
      expect(sent).toEqual(subjects);
    },
  );

  it.each([
    ['in time', day('01-01'), ['Your subscription has ended']],
    ['when its paid period was over', day('02-02'), []],
  ])('is about a cancelled subscription that became known %s', async (_when, known, subjects) => {
    const check = { type: 'CheckRenewal', ...due, now: day('02-03') } as const;
    expect(await mailsAfter(follow(endsWith, known), check)).toEqual(subjects);
  });
});
