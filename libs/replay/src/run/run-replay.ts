import { createHash } from 'node:crypto';
import {
  type Effect,
  type EventStore,
  type EventTypes,
  type Projection,
  type Reaction,
  readStates,
  type RecordedEvent,
} from '@tapedeck/eventing';
import { poolOf, waitForPosition } from '@tapedeck/eventing/projections';
import {
  createShadow,
  rowDifferences,
  runShadow,
  type FieldDifference,
  type PendingEventView,
  type ShadowCommand,
  type ShadowFailure,
  type ShadowOptions,
} from '@tapedeck/eventing/reactions';
import { accountId, DomainError, fixedClock, type AccountId } from '@tapedeck/kernel';
import type { Databases } from '@tapedeck/platform/databases';
import type { ReplayFigures, ReplayTarget } from '../domain/replay.ts';
import { stripeEventsEffect, subscriptionsOfCustomer } from '@tapedeck/payments/reactions';
import type { StripeReads } from '@tapedeck/stripe/port';
import { keyOf, type OutsideWork } from './outside-work.ts';
import { replayInput } from './replay-input.ts';
import { replaySubjects, type ReplayRequest, type ReplaySubjects } from './replay-subjects.ts';
import { stripeAt } from './stripe-at.ts';

/** What all modules contribute. A read model says itself what a replay does with it (`replay`). */
export type SharedParts = Readonly<{
  types: EventTypes;
  reactions: readonly Reaction[];
  projections: readonly Projection[];
}>;

/** Everything that a dry run reaches: nothing of it sends mail or changes anything at Stripe. */
export type ReplayPorts = Readonly<{
  store: EventStore;
  databases: Databases;
  keys: ShadowOptions['keys'];
  stripe: StripeReads;
  unclaimedRefundDays: number;
}> &
  SharedParts;

/** What a replay would do. */
export type ReplayRun = Readonly<{
  request: ReplayRequest;
  accountId: AccountId | null;
  subscriptionId: string | null;
  figures: ReplayFigures;
  /** What would be appended, with sealed personal fields. */
  events: readonly RecordedEvent[];
  fields: readonly FieldDifference[];
  /** Executed in their order on the tape, they append these events. */
  commands: readonly ShadowCommand[];
  released: readonly PendingEventView[];
  /** Sent only when a person chooses it. */
  outside: readonly OutsideWork[];
  failures: readonly ShadowFailure[];
  /** Rows of read models that differ from what the events on the tape make of them. */
  shownWrong: readonly FieldDifference[];
  /** These events; of a member or subscription that is rebuilt only. */
  history: readonly RecordedEvent[];
}>;

/** A replay that takes longer keeps a connection of the API from others. */
const maxMs = 20_000;

const tooLong = (): DomainError =>
  new DomainError(
    'unavailable',
    'REPLAY_TOO_LONG',
    `The dry run was stopped after ${maxMs / 1_000} s, and nothing was changed: choose a shorter time or one member.`,
  );

const maxBehindMs = 5_000;

const behind = (names: readonly string[]): DomainError =>
  new DomainError(
    'unavailable',
    'REPLAY_READ_MODELS_BEHIND',
    `Nothing was changed, because what is known of this target may be out of date: read models are behind the tape (${names.join(', ')}). Try again in a few seconds; admins see on the page Projections how far behind they are.`,
  );

/** A purchase of a moment ago must not be missing from what a replay begins with. */
const assertSourcesCurrent = async ({ store, databases, projections }: ReplayPorts): Promise<void> => {
  const sources = projections.filter(({ replay }) => replay?.isSource);
  const head = await store.head();
  const reached = await Promise.all(
    sources.map((source) => waitForPosition(poolOf(databases, source), source.name, head, maxBehindMs)),
  );
  const names = sources.flatMap(({ name }, index) => (reached[index] ? [] : [name]));
  if (names.length > 0) throw behind(names);
};

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? String(one) : one)))
    .digest('hex');

/** Secrets of buyers, as hashes. */
const hiddenFields: ReadonlySet<string> = new Set(['email_hash', 'claim_secret_hash']);

const isShown = ({ field }: FieldDifference): boolean => !hiddenFields.has(field);

/** How long a read model may be behind the tape before it is left out of the comparison. */
const maxLagMs = 2_000;

const comparedIn = ({ projections }: SharedParts): readonly Projection[] =>
  projections.filter(({ replay }) => replay?.compares);

const wrongRows = async (
  ports: ReplayPorts,
  history: readonly RecordedEvent[],
): Promise<readonly FieldDifference[]> => {
  if (history.length === 0) return [];
  const { store, databases } = ports;
  const head = await store.head();
  const found: FieldDifference[] = [];
  for (const projection of comparedIn(ports)) {
    const pool = poolOf(databases, projection);
    if (!(await waitForPosition(pool, projection.name, head, maxLagMs))) continue;
    found.push(...(await rowDifferences(databases, [projection], history, { isWhole: true })));
  }
  return found.filter(isShown);
};

const accountOf = (target: ReplayTarget, subjects: ReplaySubjects | null): AccountId | null => {
  if (target.kind === 'member') return target.accountId;
  const [account, ...others] = subjects?.accounts ?? [];
  return account === undefined || others.length > 0 ? null : accountId(account);
};

/**
 * Does in a shadow of the tape what a replay would do: the deciders, reactions and projections are those of the product.
 * Nothing is written, and nothing outside is called but reads of Stripe.
 *
 * @throws DomainError REPLAY_TARGET_UNFIT, REPLAY_READ_MODELS_BEHIND, REPLAY_TOO_LONG, SHADOW_TOO_LARGE, and what Stripe or a command throws.
 */
export const runReplay = async (ports: ReplayPorts, request: ReplayRequest): Promise<ReplayRun> => {
  const { store, databases, keys, types, reactions, unclaimedRefundDays } = ports;
  const { replayId, mode, target, at } = request;
  const signal = AbortSignal.timeout(maxMs);
  const clock = fixedClock(Date.parse(at));
  const stripe = stripeAt(ports.stripe, at);
  await assertSourcesCurrent(ports);
  const subjects = await replaySubjects(databases.tapedeck, target);
  const shadow = await createShadow({ store, keys, types, clock });
  // Rebuilding is about the tape alone.
  const reading = {
    stripe,
    unclaimedRefundDays,
    subscriptionsOfCustomer: subscriptionsOfCustomer(databases.tapedeck),
    // The product has warned when it handled the events.
    logger: { warn: () => undefined },
  };
  const effects: readonly Effect[] = mode === 'rebuild' ? [] : [stripeEventsEffect(reading)];
  const options = { reactions, effects, clock, signal, replayId };
  const input = await replayInput({ ...ports, stripe }, request, subjects, readStates(shadow.store));
  const { events, commands, failures } = await runShadow(shadow, input, options).catch((error: unknown) => {
    throw signal.aborted ? tooLong() : error;
  });
  const fields = (await rowDifferences(databases, comparedIn(ports), events)).filter(isShown);
  const shownWrong = await wrongRows(ports, input.history);
  const contents = await shadow.added('current');
  const released = input.released.map(({ reaction, position }) => [reaction, position]);
  return {
    request,
    accountId: accountOf(target, subjects),
    subscriptionId:
      target.kind === 'subscription' ? target.subscriptionId : (subjects?.subscriptions[0] ?? null),
    figures: {
      // Without ids of events, which derive from that of the replay.
      fingerprint: hashOf([
        mode,
        target,
        contents.map(({ stream, version, type, data }) => [stream, version, type, data]),
        released,
        input.outside.map(({ pending }) => keyOf(pending)),
      ]),
      beforeHash: hashOf(fields.map(({ table, key, field, before }) => [table, key, field, before])),
      afterHash: hashOf(fields.map(({ table, key, field, after }) => [table, key, field, after])),
      events: events.length,
      fields: fields.length,
    },
    events,
    fields,
    commands,
    released: input.released,
    outside: input.outside,
    failures,
    shownWrong,
    history: input.history,
  };
};

/** Runs replays, a few at the same time: each reads a lot. */
export type ReplayService = Readonly<{
  ports: ReplayPorts;
  /** An event in plain words, without personal data. */
  textOf: (event: RecordedEvent) => string;
  /** @throws DomainError REPLAYS_BUSY, and as `runReplay` */
  run: (request: ReplayRequest) => Promise<ReplayRun>;
}>;

/** For Nest: the `ReplayService`. */
export const REPLAY_SERVICE = Symbol('ReplayService');

const maxRunning = 2;

const busy = (): DomainError =>
  new DomainError(
    'too-many',
    'REPLAYS_BUSY',
    'Other replays are being computed at the moment: try again in a few seconds.',
    { retryAfterSeconds: 5 },
  );

export const createReplayService = (ports: ReplayPorts, textOf: ReplayService['textOf']): ReplayService => {
  let running = 0;
  return {
    ports,
    textOf,
    run: async (request) => {
      if (running >= maxRunning) throw busy();
      running++;
      try {
        return await runReplay(ports, request);
      } finally {
        running--;
      }
    },
  };
};
