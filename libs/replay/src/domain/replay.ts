import type { Decider } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { ReplayApplied, ReplayEvent, ReplayFigures, ReplayTried } from './replay-events.ts';

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
  { fingerprint, figures, reason, personalSubject }: ApplyReplay,
  state: Replay,
): readonly ReplayEvent[] => {
  if (state.status === 'none') throw unknownReplay();
  if (state.status !== 'tried') return [];
  const { replayId, accountId, subscriptionId } = state.tried;
  const isSame = state.tried.fingerprint === fingerprint && figures.fingerprint === fingerprint;
  if (!isSame) throw outdated();
  const about = { replayId, accountId, subscriptionId };
  return [{ type: 'ReplayApplied', data: { ...about, reason, personalSubject, ...figures } }];
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

/** A dry run, which may be applied once. What was confirmed is recorded before it is done, so that nothing is done unseen. */
export const replayDecider: Decider<Replay, ReplayCommand, ReplayEvent> = {
  initialState: { status: 'none' },
  decide,
  evolve,
};
