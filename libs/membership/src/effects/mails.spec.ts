import { describe, expect, it } from '@jest/globals';
import { commandContext, handle, type EventStore } from '@tapedeck/eventing';
import { createMemoryEventStore } from '@tapedeck/eventing/memory';
import { accountStream, identityEvents } from '@tapedeck/identity/events';
import { eventId, fixedClock, newId } from '@tapedeck/kernel';
import type { Mail } from '@tapedeck/platform/mail';
import { membershipDecider, type MembershipCommand } from '../domain/decide.ts';
import { membershipEvents, membershipStream } from '../domain/membership.ts';
import { ann, day, follow } from '../testing/entitlements.ts';
import { membershipEffects } from './mails.ts';

const system = { id: 'system', kind: 'system' } as const;
const neverAborted = new AbortController().signal;

/** Of the account, in the order of its events. */
const addresses = ['registered@example.com', 'now@example.com'] as const;

const accountEvent = (type: 'AccountRegistered' | 'EmailChanged', email: string) => ({
  id: eventId(newId()),
  type,
  schemaVersion: 1,
  data: { accountId: ann, email, emailVerified: true },
  metadata: {
    actorId: system.id,
    actorKind: system.kind,
    occurredAt: day('01-01'),
    correlationId: newId(),
    causationId: newId(),
  },
});

const storeAfter = async (commands: readonly MembershipCommand[]): Promise<EventStore> => {
  const store = createMemoryEventStore({ types: { ...membershipEvents, ...identityEvents } });
  const [registered, changed] = addresses;
  await store.append(accountStream(ann), 'NO_STREAM', [
    accountEvent('AccountRegistered', registered),
    accountEvent('EmailChanged', changed),
  ]);
  const contextAt = (now: string) => commandContext({ actor: system, clock: fixedClock(Date.parse(now)) });
  const send = handle(store, membershipDecider, membershipEvents);
  for (const command of commands) {
    const now = 'now' in command ? command.now : day('01-01');
    await send(membershipStream(ann), command, contextAt(now));
  }
  return store;
};

/** The mails that the last event causes, sent at `now` when that is given. */
const lastMails = async (commands: readonly MembershipCommand[], now?: string): Promise<readonly Mail[]> => {
  const store = await storeAfter(commands);
  const sent: Mail[] = [];
  const mailer = { send: async (mail: Mail): Promise<void> => void sent.push(mail) };
  const effects = membershipEffects({ mailer, store, siteUrl: 'https://tapedeck.example' });
  const event = (await store.readStream(membershipStream(ann))).at(-1);
  const effect = effects.find(({ types }) => event && types.includes(event.type));
  if (!effect || !event) throw new Error('There is no event.');
  const read = (): never => {
    throw new Error('The effect reads no other stream.');
  };
  const context = {
    read,
    key: newId(),
    now: now ?? event.metadata.occurredAt,
    attempt: 1,
    signal: neverAborted,
  };
  const recorded = await effect.run(event, context);
  expect(recorded.map(({ stream }) => stream)).toEqual(sent.map(() => `sentMails-${ann}`));
  return sent;
};

const mailsAfter = async (...commands: readonly MembershipCommand[]): Promise<readonly string[]> =>
  (await lastMails(commands)).map(({ subject }) => subject);

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

  it('goes to the present address of the account', async () => {
    const mails = await lastMails([
      follow({}, day('01-01')),
      { type: 'CheckRenewal', ...due, now: day('03-21') },
      { type: 'EndGrace', ...due, now: day('03-21') },
    ]);
    expect(mails.map(({ to }) => to)).toEqual(['now@example.com']);
  });
});

const grace = { ...due, until: day('02-15'), lastAt: day('02-14') } as const;
const started = [follow({}, day('01-01')), { type: 'CheckRenewal', ...due, now: day('02-02') }] as const;
const remindOf = (which: 'middle' | 'last') => ({ type: 'RemindOfGrace', ...grace, which }) as const;
const renewed = follow({ paidUntil: day('03-01') }, day('02-08'));

describe('the mail that reminds of an unpaid renewal', () => {
  it.each([
    ['middle', day('02-08'), 'Your access ends on Feb 15, 2026'],
    ['last', day('02-14'), 'Last reminder: your access ends on Feb 15, 2026'],
  ] as const)('is sent on the %s day of the grace, with a link to pay', async (which, now, subject) => {
    const [mail, ...others] = await lastMails([...started, remindOf(which)], now);
    expect(mail).toMatchObject({ subject, button: { url: 'https://tapedeck.example/pay' } });
    expect(others).toEqual([]);
  });

  it.each([
    ['the grace is over', [], 'last', day('02-15')],
    ['the last one is due, of the middle day', [], 'middle', day('02-14')],
    ['it is paid', [renewed], 'last', day('02-14')],
    ['it is cancelled', [follow({ ...endsWith, phase: 'past-due' }, day('02-08'))], 'last', day('02-14')],
  ] as const)('is not sent when %s', async (_when, more, which, now) => {
    const commands = more.map((command) => ({ ...command, version: 2 }));
    expect(await lastMails([...started, ...commands, remindOf(which)], now)).toEqual([]);
  });
});

describe('the mail about a cancellation', () => {
  const cancelled = [follow({}, day('01-01')), { ...follow(endsWith, day('01-10')), version: 2 }] as const;
  const resumed = { ...follow({}, day('01-11')), version: 3 };

  it('says when the access ends, and that the subscription continues when it is withdrawn', async () => {
    expect(await mailsAfter(...cancelled)).toEqual(['Your subscription ends on Feb 1, 2026']);
    expect(await mailsAfter(...cancelled, resumed)).toEqual(['Your subscription continues']);
  });

  it('promises nothing about what is unpaid, and no more access than the grace', async () => {
    const later = follow(
      { phase: 'past-due', pastDueSince: day('02-01'), endsAt: day('03-01') },
      day('02-03'),
    );
    const [mail] = await lastMails([...started, { ...later, version: 2 }]);
    expect(mail?.paragraphs[0]).toBe('You keep your access until Feb 15, 2026.');
    const [paid] = await lastMails(cancelled);
    expect(paid?.paragraphs[0]).toBe('You keep your access until Feb 1, 2026. Nothing more will be charged.');
  });

  it('is not sent once its day has passed', async () => {
    expect(await lastMails(cancelled, day('02-01'))).toEqual([]);
  });
});
