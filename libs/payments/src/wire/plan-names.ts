import { billingPeriods, paidTiers } from '@tapedeck/plans/contract';
import * as z from 'zod';

export const PaidTierName = z.enum(paidTiers);
export const Period = z.enum(billingPeriods);
