import {
  stateAfter,
  type CommandTarget,
  type Dispatch,
  type DueRow,
  type Effect,
  type ReadStream,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { recordedEvent } from '@tapedeck/eventing/testing';
import { derivedId, DomainError, type AccountId, type Clock, type JsonObject } from '@tapedeck/kernel';
import { membershipDueDates, membershipReactions } from '@tapedeck/membership/reactions';
import { membershipDue } from '@tapedeck/membership/testing';
import {
  confirmSnapshotsEffect,
  secondPurchasesEffect,
  stripeEventsEffect,
  stripeRequestsEffect,
  subscriptions,
} from '@tapedeck/payments/testing';
import { isPaidByAnother } from '@tapedeck/payments/rules';
import type { StripePort } from '@tapedeck/stripe/port';

export const graceDays = 14;

/** Events, reactions, effects and due dates of payments and membership without a database. */
export type ProductInMemory = Readonly<{
  streams: ReadonlyMap<string, readonly RecordedEvent[]>;
  read: ReadStream;
  /** With everything that follows from it. A command that a rule refuses changes nothing. */
  send: (dispatch: Dispatch) => Promise<void>;
  /** An event that other modules would have put on the tape. */
  append: (stream: string, type: string, data: JsonObject) => Promise<void>;
  sendDue: () => Promise<void>;
}>;

type Written = Readonly<{ type: string; data: JsonObject }>;

export const productInMemory = (stripe: StripePort, clock: Clock): ProductInMemory => {
  const streams = new Map<string, RecordedEvent[]>();
  const due = new Map<string, DueRow>();
  const [reaction] = membershipReactions({ GRACE_DAYS: graceDays });
  const ports = {
    stripe,
    unclaimedRefundDays: 30,
    subscriptionsOfCustomer: async () => [],
    logger: { warn: () => undefined },
  };
  const effects: readonly Effect[] = [
    stripeEventsEffect(ports),
    stripeRequestsEffect(ports),
    confirmSnapshotsEffect(ports),
    secondPurchasesEffect({
      store: { readStream: (stream) => Promise.resolve(streams.get(stream) ?? []) },
      accessSubscriptions: async (account) => accessOf(account),
    }),
  ];
  const now = (): string => new Date(clock.now()).toISOString();
  let position = 0n;

  const accessOf = (account: AccountId) =>
    [...streams.keys()].flatMap((stream) => {
      if (!stream.startsWith('subscription-')) return [];
      const state = stateAfter(subscriptions.decider, streams.get(stream) ?? []);
      const { owner, published } = state;
      const gives = published && ['active', 'past-due', 'suspended'].includes(published.phase);
      if (owner?.accountId !== account || !gives) return [];
      return [{ subscriptionId: published.subscriptionId, isPaidByAnother: isPaidByAnother(state) }];
    });

  const eventsOf = <State>({ decider }: CommandTarget<State, never>, stream: string): State =>
    stateAfter(decider, streams.get(stream) ?? []);
  const read: ReadStream = (target, stream) => Promise.resolve(eventsOf(target, stream));

  const write = (stream: string, events: readonly Written[]): readonly RecordedEvent[] => {
    const known = streams.get(stream) ?? [];
    const recorded = events.map((event, index) => {
      position += 1n;
      const version = known.length + index + 1;
      return recordedEvent(event, {
        stream,
        version,
        position,
        id: derivedId(`event ${position}`),
        metadata: { occurredAt: now() },
      });
    });
    streams.set(stream, [...known, ...recorded]);
    return recorded;
  };

  const followDue = (events: readonly RecordedEvent[]): void => {
    const ofMembership = events.filter(({ type }) => type in membershipDue.types);
    for (const change of membershipDue.fold(ofMembership)) {
      const [stream, kind] = [String(change.key['stream']), String(change.key['kind'])];
      if (change.op === 'remove') due.delete(`${stream} ${kind}`);
      else {
        const { due_at: at, details } = change.row as { due_at: string; details: DueRow['details'] };
        due.set(`${stream} ${kind}`, { stream, kind, due_at: new Date(at), details });
      }
    }
  };

  const follow = async (events: readonly RecordedEvent[]): Promise<void> => {
    followDue(events);
    for (const event of events) {
      if (reaction?.types.includes(event.type)) await sendAll(await reaction.react(event, read));
      for (const effect of effects) {
        if (!effect.types.includes(event.type) || effect.concerns?.(event) === false) continue;
        const context = { read, key: `${event.position}`, now: now(), attempt: 1, signal };
        await sendAll(await effect.run(event, context));
      }
    }
  };

  const send = async ({ target, stream, command }: Dispatch): Promise<void> => {
    const events = target.decider.decide(command, stateAfter(target.decider, streams.get(stream) ?? []));
    await follow(write(stream, events));
  };
  const sendAll = async (dispatches: readonly Dispatch[]): Promise<void> => {
    for (const one of dispatches) await send(one);
  };

  return {
    streams,
    read,
    send: async (one) => {
      try {
        await send(one);
      } catch (error) {
        if (!(error instanceof DomainError) || error.kind === 'unavailable') throw error;
      }
    },
    append: async (stream, type, data) => follow(write(stream, [{ type, data }])),
    sendDue: async () => {
      for (;;) {
        const [first] = [...due.values()]
          .filter(({ due_at: at }) => at.getTime() <= clock.now())
          .sort((a, b) => a.due_at.getTime() - b.due_at.getTime());
        if (!first) return;
        await sendAll(membershipDueDates.flatMap(({ dispatch }) => dispatch(first, now())));
        if (due.get(`${first.stream} ${first.kind}`)?.due_at.getTime() === first.due_at.getTime())
          throw new Error(`The due date ${first.kind} remains after its command.`);
      }
    },
  };
};

const { signal } = new AbortController();
