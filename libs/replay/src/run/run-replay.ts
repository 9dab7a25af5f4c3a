import { createHash } from 'node:crypto';
import { type Effect, type EventStore, type Projection, type RecordedEvent } from '@tapedeck/eventing';
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
import type { ReplayFigures, ReplayTarget } from '../domain/replay-events.ts';
import { readStreamNow } from '@tapedeck/payments/reactions';
import { stripeEventsEffect } from '@tapedeck/payments/reactions';
import { checkouts } from '@tapedeck/payments/projections';
import { stripeInbox } from '@tapedeck/stripe/projections';
import { subscriptions } from '@tapedeck/payments/projections';
import type { StripeReads } from '@tapedeck/stripe/port';
import { replayInput } from './replay-input.ts';
import type { ReplayRequest } from './replay-request.ts';
import type { ReplayParts } from './replay-parts.ts';
import { replaySubjects, type ReplaySubjects } from './replay-subjects.ts';
import { stripeAt } from './stripe-at.ts';

/** Everything that a replay reaches: nothing of it sends mail or writes to Stripe. */
export type ReplayPorts = Readonly<{
  store: EventStore;
  databases: Databases;
  keys: ShadowOptions['keys'];
  stripe: StripeReads;
  parts: ReplayParts;
  unclaimedRefundDays: number;
}>;

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

/** They say what belongs to a target, and which events of Stripe have arrived. */
const sources: readonly Projection[] = [checkouts, subscriptions, stripeInbox];

const maxBehindMs = 5_000;

const behind = (names: readonly string[]): DomainError =>
  new DomainError(
    'unavailable',
    'REPLAY_READ_MODELS_BEHIND',
    `Nothing was changed, because what is known of this target may be out of date: read models are behind the tape (${names.join(', ')}). Try again in a few seconds; admins see on the page Projections how far behind they are.`,
  );

/** A purchase of a moment ago must not be missing from what a replay begins with. */
const assertSourcesCurrent = async ({ store, databases }: ReplayPorts): Promise<void> => {
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

const wrongRows = async (
  { store, databases, parts }: ReplayPorts,
  history: readonly RecordedEvent[],
): Promise<readonly FieldDifference[]> => {
  if (history.length === 0) return [];
  const head = await store.head();
  const found: FieldDifference[] = [];
  for (const projection of parts.projections) {
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
 * Nothing is written, and nothing outside is asked but reads of Stripe.
 *
 * @throws DomainError REPLAY_TARGET_UNFIT, REPLAY_READ_MODELS_BEHIND, REPLAY_TOO_LONG, SHADOW_TOO_LARGE, and what Stripe or a command throws.
 */
export const runReplay = async (ports: ReplayPorts, request: ReplayRequest): Promise<ReplayRun> => {
  const { store, databases, keys, parts, unclaimedRefundDays } = ports;
  const { replayId, mode, target, at } = request;
  const signal = AbortSignal.timeout(maxMs);
  const clock = fixedClock(Date.parse(at));
  const stripe = stripeAt(ports.stripe, at);
  await assertSourcesCurrent(ports);
  const subjects = await replaySubjects(databases.tapedeck, target);
  const shadow = await createShadow({ store, keys, types: parts.types, clock });
  // Rebuilding is about the tape alone.
  const effects: readonly Effect[] =
    mode === 'rebuild' ? [] : [stripeEventsEffect({ stripe, unclaimedRefundDays })];
  const options = { reactions: parts.reactions, effects, clock, signal, replayId };
  const input = await replayInput({ ...ports, stripe }, request, subjects, readStreamNow(shadow.store));
  const { events, commands, failures } = await runShadow(shadow, input, options).catch((error: unknown) => {
    throw signal.aborted ? tooLong() : error;
  });
  const fields = (await rowDifferences(databases, parts.projections, events)).filter(isShown);
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
    failures,
    shownWrong,
    history: input.history,
  };
};
