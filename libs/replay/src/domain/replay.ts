import {
  commandTarget,
  type Decider,
  defineEvents,
  type DomainEvent,
  type Personal,
} from '@tapedeck/eventing/core';
import { DomainError, type AccountId } from '@tapedeck/kernel';

/**
 * `retry`: handles again what has failed. `rebuild`: derives everything again from the events of the tape. `reread`: reads
 * the subscriptions at Stripe. `refetch`: fetches events of Stripe that are not on the tape.
 */
export type ReplayMode = 'retry' | 'rebuild' | 'reread' | 'refetch';

/** What a replay is about. `eventId` is that of Stripe; times are ISO 8601 UTC. */
export type ReplayTarget =
  | Readonly<{ kind: 'member'; accountId: AccountId }>
  | Readonly<{ kind: 'subscription'; subscriptionId: string }>
  | Readonly<{ kind: 'event'; eventId: string }>
  | Readonly<{ kind: 'window'; from: string; to: string }>;

/** Hashes are SHA-256 in hexadecimal. */
export type ReplayFigures = Readonly<{
  /** Of what would be appended: the same replay at the same state has the same one. */
  fingerprint: string;
  /** Of the fields of the read models, before and after. */
  beforeHash: string;
  afterHash: string;
  events: number;
  fields: number;
}>;

/** The account and the subscription that it is about, where it is about one. */
export type ReplayParticipants = Readonly<{ accountId: AccountId | null; subscriptionId: string | null }>;

/** A parked request to Stripe or mail that is sent with the replay. `position` is that of its event. */
export type Release = Readonly<{ consumer: string; position: string; kind: 'stripe' | 'mail' }>;

/** A dry run: nothing was changed. */
export type ReplayTried = DomainEvent<
  'ReplayTried',
  { replayId: string; mode: ReplayMode; target: ReplayTarget; at: string } & ReplayParticipants &
    ReplayFigures
>;

/** What the dry run has shown was confirmed: it is appended next. */
export type ReplayApplied = DomainEvent<
  'ReplayApplied',
  {
    replayId: string;
    reason: Personal<string>;
    personalSubject: string;
    /** What was chosen to be sent; none when it is missing. */
    releases?: readonly Release[];
  } & ReplayParticipants &
    ReplayFigures
>;

/** Everything is on the tape that was confirmed. */
export type ReplayCompleted = DomainEvent<'ReplayCompleted', { replayId: string } & ReplayParticipants>;

export type ReplayEvent = ReplayTried | ReplayApplied | ReplayCompleted;

export const replayEvents = defineEvents<ReplayEvent>({
  ReplayTried: { version: 1 },
  ReplayApplied: { version: 1, personal: ['reason'], subject: 'personalSubject' },
  ReplayCompleted: { version: 1 },
});

export const replayStream = (replayId: string): string => `replay-${replayId}`;
export const replaySubject = (replayId: string): string => `replay:${replayId}`;

export type Replay =
  | Readonly<{ status: 'none' }>
  | Readonly<{ status: 'tried'; tried: ReplayTried['data'] }>
  | Readonly<{ status: 'applying' | 'applied'; tried: ReplayTried['data']; applied: ReplayApplied['data'] }>;

export type TryReplay = Readonly<{ type: 'TryReplay'; replay: ReplayTried['data'] }>;

/** The command that puts a dry run on the tape. */
export const recordOf = (replay: ReplayTried['data']): TryReplay => ({ type: 'TryReplay', replay });

/** `figures` are those of the same replay at this moment; `fingerprint` is that of the dry run that was confirmed. */
export type ApplyReplay = Readonly<{
  type: 'ApplyReplay';
  fingerprint: string;
  figures: ReplayFigures;
  reason: string;
  personalSubject: string;
  releases: readonly Release[];
}>;

export type CompleteReplay = Readonly<{ type: 'CompleteReplay' }>;

export type ReplayCommand = TryReplay | ApplyReplay | CompleteReplay;

export const unknownReplay = (): DomainError =>
  new DomainError('not-found', 'REPLAY_NOT_FOUND', 'There is no such dry run: make a new one.');

const outdated = (): DomainError =>
  new DomainError(
    'conflict',
    'REPLAY_OUTDATED',
    'The tape or Stripe has changed since the dry run, and nothing was applied: look at the new difference.',
  );

const apply = (
  { fingerprint, figures, reason, personalSubject, releases }: ApplyReplay,
  state: Replay,
): readonly ReplayEvent[] => {
  if (state.status === 'none') throw unknownReplay();
  if (state.status !== 'tried') return [];
  const { replayId, accountId, subscriptionId } = state.tried;
  const isSame = state.tried.fingerprint === fingerprint && figures.fingerprint === fingerprint;
  if (!isSame) throw outdated();
  const about = { replayId, accountId, subscriptionId };
  const chosen = releases.length > 0 ? { releases } : {};
  return [{ type: 'ReplayApplied', data: { ...about, reason, personalSubject, ...chosen, ...figures } }];
};

const complete = (state: Replay): readonly ReplayEvent[] => {
  if (state.status !== 'applying') return [];
  const { replayId, accountId, subscriptionId } = state.tried;
  return [{ type: 'ReplayCompleted', data: { replayId, accountId, subscriptionId } }];
};

const decide = (command: ReplayCommand, state: Replay): readonly ReplayEvent[] => {
  switch (command.type) {
    case 'TryReplay':
      return state.status === 'none' ? [{ type: 'ReplayTried', data: command.replay }] : [];
    case 'ApplyReplay':
      return apply(command, state);
    case 'CompleteReplay':
      return complete(state);
    default:
      return command satisfies never;
  }
};

const evolve = (state: Replay, event: ReplayEvent): Replay => {
  if (event.type === 'ReplayTried') return { status: 'tried', tried: event.data };
  if (state.status === 'none') return state;
  if (event.type === 'ReplayApplied') return { status: 'applying', tried: state.tried, applied: event.data };
  return state.status === 'applying' ? { ...state, status: 'applied' } : state;
};

/** A dry run, which may be applied once. What was confirmed is recorded before it is done. */
export const replayDecider: Decider<Replay, ReplayCommand, ReplayEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};

export const replays = commandTarget(replayDecider, replayEvents);
