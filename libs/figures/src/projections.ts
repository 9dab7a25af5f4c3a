import type { Projection } from '@tapedeck/eventing';
import { figures } from './projections/figures.ts';

export const figuresProjections: readonly Projection[] = [figures];
