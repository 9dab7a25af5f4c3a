import { defineEvents } from '@tapedeck/eventing/core';
import type { ReplayEvent } from './domain/replay.ts';

export type {
  ReplayMode,
  ReplayTarget,
  ReplayFigures,
  ReplayParticipants,
  ReplayTried,
  ReplayApplied,
  ReplayCompleted,
  ReplayEvent,
} from './domain/replay.ts';

export const replayEvents = defineEvents<ReplayEvent>({
  ReplayTried: { version: 1 },
  ReplayApplied: { version: 1, personal: ['reason'], subject: 'personalSubject' },
  ReplayCompleted: { version: 1 },
});

export const replayStream = (replayId: string): string => `replay-${replayId}`;
export const replaySubject = (replayId: string): string => `replay:${replayId}`;
