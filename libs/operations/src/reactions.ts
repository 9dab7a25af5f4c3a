import type { Effect } from '@tapedeck/eventing';
import { parkedEventsEffect, type OperationsPorts } from './effects/parked-events.ts';

export type { OperationsPorts } from './effects/parked-events.ts';

export const operationsEffects = (ports: OperationsPorts): readonly Effect[] => [parkedEventsEffect(ports)];
