import type { Projection } from '@tapedeck/eventing';
import { replays } from './projections/replays.ts';

export const replayProjections: readonly Projection[] = [replays];
