import type { Projection } from '@tapedeck/eventing';
import { auditTimeline } from './projections/audit-timeline.ts';

export const auditProjections: readonly Projection[] = [auditTimeline];

export { textOfEvent } from './domain/event-text.ts';
