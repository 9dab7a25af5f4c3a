import type { Projection } from '@tapedeck/eventing';
import { membershipDue } from './projections/membership-due.ts';
import { memberships } from './projections/memberships.ts';

export const membershipProjections: readonly Projection[] = [memberships, membershipDue];
