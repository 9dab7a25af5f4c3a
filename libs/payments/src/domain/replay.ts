import type { Decider } from '@tapedeck/eventing';
import { DomainError } from '@tapedeck/kernel';
import type { ReplayApplied, ReplayEvent, ReplayFigures, ReplayTried } from './replay-events.ts';

export type Replay =
  | Readonly<{ status: 'none' }>
  | Readonly<{ status: 'tried'; tried: ReplayTried['data'] }>
  | Readonly<{ status: 'applied'; tried: ReplayTried['data']; applied: ReplayApplied['data'] }>;

export type TryReplay = Readonly<{ type: 'TryReplay'; replay: ReplayTried['data'] }>;

/** `figures` are those of the same replay at this moment; `fingerprint` is that of the dry run that was confirmed. */
export type ApplyReplay = Readonly<{
  type: 'ApplyReplay';
  fingerprint: string;
  figures: ReplayFigures;
  reason: string;
  personalSubject: string;
}>;

export type ReplayCommand = TryReplay | ApplyReplay;

const unknown = (): DomainError =>
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
  switch (state.status) {
    case 'none':
      throw unknown();
    case 'applied':
      return [];
    case 'tried': {
      const isSame =
        state.tried.fingerprint === fingerprint && figures.fingerprint === state.tried.fingerprint;
      if (!isSame) throw outdated();
      const { replayId } = state.tried;
      return [{ type: 'ReplayApplied', data: { replayId, reason, personalSubject, ...figures } }];
    }
    default:
      return state satisfies never;
  }
};

export const replayDecider: Decider<Replay, ReplayCommand, ReplayEvent> = {
  initialState: { status: 'none' },
  decide: (command, state) =>
    command.type === 'ApplyReplay'
      ? apply(command, state)
      : state.status === 'none'
        ? [{ type: 'ReplayTried', data: command.replay }]
        : [],
  evolve: (state, event) => {
    if (event.type === 'ReplayTried') return { status: 'tried', tried: event.data };
    return state.status === 'none' ? state : { status: 'applied', tried: state.tried, applied: event.data };
  },
};
