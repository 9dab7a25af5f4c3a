import { isoNow, type Clock } from '@tapedeck/kernel';
import type { ApiConfig } from '@tapedeck/platform/config';
import type { Databases } from '@tapedeck/platform/databases';
import type { MemberFeatures } from '@tapedeck/platform/http';
import { accessAt } from '../domain/access.ts';
import { featuresOf } from '../domain/entitlements.ts';
import { readMembership } from './read-membership.ts';

/** What an account may use at this instant. */
export const memberFeatures =
  (databases: Databases, clock: Clock, { ENTITLEMENTS }: Pick<ApiConfig, 'ENTITLEMENTS'>): MemberFeatures =>
  async (account) => {
    const { tier } = accessAt(await readMembership(databases, account), isoNow(clock));
    return new Set(featuresOf(tier, ENTITLEMENTS));
  };
