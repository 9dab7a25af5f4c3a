import { defineProjection } from '@tapedeck/eventing';
import { auditedTypes, type AuditedEvent } from '../domain/event-text.ts';
import {
  buyersTable,
  notesTable,
  peopleChanges,
  peopleTable,
  purchasesTable,
  rolesTable,
} from './people-rows.ts';
import { ownersTable, referenceChanges, referencesTable } from './reference-rows.ts';
import { timelineChange, timelineTable } from './timeline-rows.ts';

/** The events of all members, what belongs to whom, and who they are. */
export const auditTimeline = defineProjection<AuditedEvent>({
  name: 'audit_timeline',
  version: 3,
  database: 'tapedeck',
  types: auditedTypes,
  tables: [
    timelineTable,
    referencesTable,
    ownersTable,
    peopleTable,
    rolesTable,
    buyersTable,
    purchasesTable,
    notesTable,
  ],
  fold: (events) =>
    events.flatMap((event) => [timelineChange(event), ...referenceChanges(event), ...peopleChanges(event)]),
});
