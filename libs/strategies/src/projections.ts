import type { Projection } from '@tapedeck/eventing';
import { strategies } from './projections/strategies.ts';

export const strategyProjections: readonly Projection[] = [strategies];
