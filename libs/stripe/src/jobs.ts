import type { Job } from '@tapedeck/platform/schedule';
import { undeliveredEvents, type UndeliveredEventsPorts } from './jobs/undelivered-events.ts';

export type StripeJobsPorts = UndeliveredEventsPorts;

/** What is repeated at intervals. */
export const stripeJobs = (ports: StripeJobsPorts): readonly Job[] => [undeliveredEvents(ports)];
